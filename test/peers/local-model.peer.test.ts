// Whole episodes by a language model that runs here, through the built command line.
import { existsSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Trajectory } from "../../src/contract/index.ts";
import { Desk } from "../support/command-line.ts";

const model = process.env.ROUTESETTER_LOCAL_MODEL ?? "";
const runtime = process.env.ROUTESETTER_LOCAL_RUNTIME ?? "";
const isThere = model !== "" && runtime !== "" && existsSync(model) && existsSync(runtime);
const isRequired = process.env.ROUTESETTER_REQUIRE_LOCAL_MODEL === "1";

const turns = 2;
const instructions: Record<string, string> = {
  note: "Run the command `echo hi > /app/a.txt`.",
  copy: "Run the command `echo hi > /app/a.txt; cp /app/a.txt /app/b.txt`.",
  folder: "Run the command `mkdir -p /app/out; echo hi > /app/a.txt`.",
};

let desk: Desk;
beforeAll(() => {
  desk = new Desk();
});
afterAll(() => desk.close());

it("plays three tasks to the end, each graded and with its tokens counted", async ({ skip }) => {
  if (!isThere && !isRequired)
    skip("ROUTESETTER_LOCAL_MODEL and ROUTESETTER_LOCAL_RUNTIME name no model: scripts/install-test-model.mjs");
  desk.write({
    "routesetter.toml": `[models.small]
provider = "local"
model = ${JSON.stringify(model)}
runtime = ${JSON.stringify(runtime)}
context_tokens = 2048
max_tokens = 64
max_turns = ${turns}
temperature = 0
seed = 1
`,
  });
  for (const [name, instruction] of Object.entries(instructions))
    desk.write({
      [`tasks/${name}/task.toml`]: `schema_version = "1.4"\n[task]\nname = "local/${name}"\n[agent]\ntimeout_sec = 300.0\n[verifier]\ntimeout_sec = 20.0\n`,
      [`tasks/${name}/instruction.md`]: `${instruction}\n`,
      [`tasks/${name}/environment/Dockerfile`]: "FROM debian:bookworm-slim\nWORKDIR /app\n",
      [`tasks/${name}/solution/solve.sh`]: `#!/bin/bash\n${instruction.split("`")[1]}\n`,
      [`tasks/${name}/tests/test.sh`]:
        '#!/bin/bash\n[ "$(cat /app/a.txt)" = hi ] && r=1 || r=0\necho "{\\"reward\\": $r}" > /logs/verifier/reward.json\n',
    });

  const ended = await desk.run("rollout", "tasks", "--builder", "host", "--agent", "model:small", "--json");
  const { counts, cost, outputs } = ended.result() as unknown as {
    counts: Record<string, number>;
    cost: Record<string, number>;
    outputs: string[];
  };
  expect(counts, ended.stderr).toMatchObject({ infra_error: 0, task_error: 0, graded: 3 });
  expect(cost).toMatchObject({ usd: 0 });
  const episodes = ended.events().filter(({ type }) => type === "episode");
  expect(episodes).toHaveLength(3);
  for (const { file } of episodes) {
    const { outcome, steps } = JSON.parse(
      readFileSync(desk.path(outputs[0] ?? "", String(file)), "utf8"),
    ) as Trajectory;
    expect(["success", "failure"]).toContain(outcome);
    const answered = steps.filter(({ tokens }) => tokens !== null);
    expect(answered.length).toBeGreaterThan(0);
    expect(answered.length).toBeLessThanOrEqual(turns);
    for (const { tokens } of answered) {
      expect(tokens?.prompt).toBeGreaterThan(0);
      expect(tokens?.completion).toBeGreaterThan(0);
    }
  }
});
