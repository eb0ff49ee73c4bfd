// A task of several steps, as somebody wrote it by hand: played on the state that was left, graded step by step.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Desk, type Ended } from "../support/command-line.ts";

const check = (wanted: string) =>
  `#!/bin/bash\n[ "$(cat /app/sum.txt 2>/dev/null)" = ${wanted} ] && r=1 || r=0\necho "{\\"reward\\": $r, \\"sum\\": $r}" > /logs/verifier/reward.json\n`;
const solveFirst = `#!/bin/bash\nawk '{s+=$1} END {print s}' /app/day1.txt > /app/sum.txt\n`;

function folder(name: string, more: Record<string, string> = {}): Record<string, string> {
  const files: Record<string, string> = {
    "task.toml": `schema_version = "1.4"
[task]
name = "mine/${name}"
[environment]
network_mode = "no-network"
[[steps]]
name = "01-first"
min_reward = 0.5
[[steps]]
name = "02-second"
`,
    "environment/Dockerfile": "FROM debian:bookworm-slim\nWORKDIR /app\n",
    "tests/test.sh": "#!/bin/bash\necho stub\n",
    "steps/01-first/instruction.md": "Write the sum of the numbers in /app/day1.txt to /app/sum.txt.\n",
    "steps/01-first/workdir/day1.txt": "1\n2\n",
    "steps/01-first/tests/test.sh": check("3"),
    "steps/01-first/solution/solve.sh": solveFirst,
    "steps/02-second/instruction.md": "Add the numbers of /app/day2.txt to the sum in /app/sum.txt.\n",
    "steps/02-second/workdir/setup.sh": '#!/bin/bash\nprintf "3\\n4\\n" > day2.txt\n',
    "steps/02-second/tests/test.sh": check("10"),
    "steps/02-second/solution/solve.sh":
      "#!/bin/bash\ns=$(cat /app/sum.txt)\nawk -v s=\"$s\" '{s+=$1} END {print s}' /app/day2.txt > /app/sum.txt\n",
    ...more,
  };
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`tasks/${name}/${path}`, text]));
}

let desk: Desk;
beforeAll(() => {
  desk = new Desk();
  desk.write({
    ...folder("sound"),
    ...folder("setup-fails", { "steps/02-second/workdir/setup.sh": "#!/bin/bash\necho no such day >&2\nexit 3\n" }),
    ...folder("no-reward", { "steps/02-second/tests/test.sh": "#!/bin/bash\nexit 1\n" }),
    "first.sh": solveFirst,
  });
});
afterAll(() => desk.close());

const play = (name: string, agent: string) =>
  desk.run("rollout", `tasks/${name}`, "--builder", "host", "--agent", agent, "--json");
const episodeOf = (ended: Ended) => {
  const episode = ended.events().find(({ type }) => type === "episode");
  const file = desk.path(String(ended.result().outputs[0]), String(episode?.file));
  return JSON.parse(readFileSync(file, "utf8"));
};

describe("a task of several steps", () => {
  it("the oracle solves every step on the state that the step before left", async () => {
    const episode = episodeOf(await play("sound", "oracle"));
    expect(episode).toMatchObject({
      outcome: "success",
      verdict: { score: 1, rewards: { reward: 1, "step/01-first": 1, "step/02-second": 1 } },
    });
    expect(episode.verdict.checks.map(({ name }: { name: string }) => name)).toEqual([
      "01-first: sum",
      "02-second: sum",
    ]);
    expect(episode.steps.map(({ info }: { info: { task_step: string } }) => info.task_step)).toEqual([
      "01-first",
      "02-second",
    ]);
    expect(episode.steps[1].info.task_step_began).toContain("day2.txt");
  });

  it("doing nothing earns nothing, and stops at the first step that asks for a reward", async () => {
    const episode = episodeOf(await play("sound", "nop"));
    expect(episode).toMatchObject({ outcome: "failure", cause: { message: expect.stringMatching(/^step 01-first/) } });
    expect(episode.verdict.rewards).toEqual({ sum: 0, reward: 0, "step/01-first": 0, "step/02-second": 0 });
  });

  it("an answer of the first step is stale in the second", async () => {
    const episode = episodeOf(await play("sound", "script:first.sh"));
    expect(episode).toMatchObject({
      outcome: "failure",
      cause: { message: expect.stringMatching(/^step 02-second/) },
      verdict: { score: 0.5, success: false },
    });
  });

  it.each([
    ["setup-fails", /step_setup_failed.*step 02-second.*exit code 3.*no such day/],
    ["no-reward", /step 02-second/],
  ])("%s: a step that can't be graded is the whole trial's outcome", async (name, message) => {
    const ended = await play(name, "oracle");
    expect(ended.result().counts).toMatchObject({ task_error: 1, graded: 0 });
    const episode = ended.events().find(({ type }) => type === "episode");
    expect(`${episode?.cause.code} ${episode?.cause.message}`).toMatch(message);
  });

  it("passes the gates, which look into every step", async () => {
    const ended = await desk.run("check", "tasks/sound", "--builder", "host", "--json");
    expect(ended.result(), ended.stderr).toMatchObject({ counts: { accepted: 1, failed: 0 } });
    desk.write(
      folder("masked", {
        "steps/02-second/tests/test.sh": `${check("10").trim()} || true\npytest x | tee log; echo 1 > /logs/verifier/reward.txt\n`,
      }),
    );
    const masked = await desk.run("check", "tasks/masked", "--builder", "host", "--gate", "test_script_lint", "--json");
    expect(masked.stdout).toContain("steps/02-second/tests/test.sh");
  });
});
