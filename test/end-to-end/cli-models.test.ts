// A model as the agent: over HTTP with an endpoint that fails in every way, and as a program. Replies are scripted.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Desk } from "../support/command-line.ts";
import { ModelServer, type ScriptedAnswer } from "../support/model-server/index.ts";

const key = "sk-never-told-0123456789";
const usage = { input: 1_000, output: 20 };
const call = (id: string, name: string, given: object) => ({ id, name, arguments: JSON.stringify(given) });
const solve: ScriptedAnswer = {
  text: "I run the solution.",
  calls: [call("a", "run", { command: "mkdir -p /app/out && echo 42 > /app/out/answer.txt" })],
  usage,
};
const submit: ScriptedAnswer = { calls: [call("b", "submit", {})], usage };

let desk: Desk;
let server: ModelServer;
beforeAll(async () => {
  server = await ModelServer.start();
  desk = new Desk();
  process.env.TOLD_KEY = key;
  const test = `#!/bin/bash\n[ "$(cat /app/out/answer.txt)" = 42 ] && r=1 || r=0\necho "{\\"reward\\": $r}" > /logs/verifier/reward.json\n`;
  desk.write({
    "routesetter.toml": `[models.told]
provider = "openai-compatible"
model = "told"
url = "${server.origin}/v1"
key_env = "TOLD_KEY"
input_price = 1.0
output_price = 10.0
attempts = 3
idle_timeout_sec = 1.0
`,
    "tasks/one/task.toml": 'schema_version = "1.4"\n[task]\nname = "mine/one"\n[verifier]\ntimeout_sec = 20.0\n',
    "tasks/one/instruction.md": "Write the answer, 42, to /app/out/answer.txt.\n",
    "tasks/one/environment/Dockerfile": "FROM debian:bookworm-slim\nWORKDIR /app\n",
    "tasks/one/solution/solve.sh": "#!/bin/bash\nmkdir -p /app/out && echo 42 > /app/out/answer.txt\n",
    "tasks/one/tests/test.sh": test,
  });
});
afterAll(async () => {
  server.close();
  await desk.close();
});

const rollout = (...more: string[]) =>
  desk.run("rollout", "tasks", "--builder", "host", "--agent", "model:told", "--json", ...more);

describe("rollout --agent model:…", () => {
  it("plays, and says what it took and cost", async () => {
    await server.script(solve, submit);
    const ended = await rollout();
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.result()).toMatchObject({ counts: { success: 1, graded: 1 }, cost: { tokens: 2_040, usd: 0.0024 } });
    const episode = ended.events().find(({ type }) => type === "episode");
    const file = desk.path(String(ended.result().outputs[0]), String(episode?.file));
    const trajectory = readFileSync(file, "utf8");
    expect(JSON.parse(trajectory).steps[0].call.written).toMatchObject({
      text: "I run the solution.",
      call: { id: "a", name: "run" },
    });
    for (const text of [trajectory, ended.stdout, ended.stderr]) expect(text).not.toContain(key);
    expect((await server.log())[0]?.key).toBe(key);
  });

  it("says before the first episode what it may cost, and that a price isn't known", async () => {
    await server.script(solve, submit);
    const paid = (await rollout("-k", "2", "--agent", "oracle")).events();
    const types = paid.map(({ type }) => type);
    expect(types.filter((type) => type === "forecast")).toHaveLength(1);
    expect(types.indexOf("forecast")).toBeLessThan(types.indexOf("episode"));
    expect(paid[types.indexOf("forecast")]).toMatchObject({
      calls: { low: 10, likely: 40, high: 120 },
      // 2 × 20 × (6,250 × $1 + 200 × $10) per million.
      usd: { low: 0.045, likely: 0.33, high: 2.19 },
      isComplete: true,
    });
    desk.write({ "replies.jsonl": '{"calls": [{"name": "submit", "arguments": {}}]}\n', "mute.sh": "#!/bin/sh\n" });
    const told = async (agent: string) =>
      (await desk.run("rollout", "tasks", "--builder", "host", "--agent", agent)).stdout;
    expect(await told("model:script:replies.jsonl")).not.toContain("forecast");
    expect(await told(`model:command:sh ${desk.path("mute.sh")}`)).toMatch(
      /forecast: agent, model:command:.*: 20 \(5 to 60\) calls, .* tokens, price not known \(assumed: 5 to 60 answers/,
    );
  });

  const passing: [string, ScriptedAnswer][] = [
    ["429 without retry-after", { fault: "rate-limit" }],
    ["429 with retry-after", { fault: "rate-limit-after", seconds: 0.1 }],
    ["500", { fault: "status", status: 500 }],
    ["a hang", { fault: "hang" }],
    ["a truncated answer", { fault: "truncated", ...solve }],
    ["an answer that is no JSON", { fault: "not-json" }],
    ["a connection that is reset", { fault: "reset" }],
  ];
  it.each(passing)("%s: the episode goes on, nothing is billed twice", async (_, fault) => {
    await server.script(fault, solve, submit);
    const ended = await rollout();
    // An answer that began may have been billed: its cost is unknown, not nothing.
    const isKnown = fault.fault !== "truncated" && fault.fault !== "not-json";
    const cost = isKnown ? { tokens: 2_040, usd: 0.0024 } : { tokens: null, usd: null };
    expect(ended.result(), ended.stderr).toMatchObject({ counts: { success: 1 }, cost });
    expect(await server.log()).toHaveLength(3);
  });

  const own: [string, ScriptedAnswer[]][] = [
    [
      "a refusal",
      [
        { refusal: "No.", usage },
        { refusal: "Still no.", usage },
      ],
    ],
    ["an empty answer", [{ usage }, { usage }]],
    ["a filter", [{ fault: "filter" }]],
    ["a context that is too long, whatever is left out", [{ fault: "overflow" }, { fault: "overflow" }]],
  ];
  it.each(own)("%s is the policy's: failure, never a fault of the machine", async (_, answers) => {
    await server.script(...answers);
    expect((await rollout()).result()).toMatchObject({ counts: { failure: 1, infra_error: 0 } });
  });

  it("an answer with malformed arguments or a wrong word for its end is part of the episode", async () => {
    const broken = { calls: [{ id: "x", name: "run", arguments: '{"command": "ls' }], usage };
    await server.script(broken, { ...solve, finish: "stop" }, submit);
    expect((await rollout()).result()).toMatchObject({ counts: { success: 1 } });
  });

  it("an endpoint that stays down is the machine's fault, and exactly that is taken again", async () => {
    await server.script({ fault: "status", status: 503, repeat: true });
    const ended = await rollout();
    expect(ended.result()).toMatchObject({ exitCode: 3, counts: { infra_error: 1, graded: 0 } });
    await server.script(solve, submit);
    const again = await desk.run("runs", "resume", String(ended.result().run), "--only", "infra", "--json");
    expect(again.result(), again.stderr).toMatchObject({ exitCode: 0, counts: { success: 1, infra_error: 0 } });
  });

  it("replays a recorded episode without the endpoint, at no cost", async () => {
    await server.script(solve, submit);
    await rollout("--cassette", "told.jsonl");
    expect(readFileSync(desk.path("told.jsonl"), "utf8")).not.toContain(key);
    await server.script();
    const again = await rollout("--cassette", "told.jsonl", "--cassette-mode", "strict");
    expect(again.result(), again.stderr).toMatchObject({ counts: { success: 1 }, cost: { usd: 0 } });
    expect(await server.log()).toHaveLength(0);
    const other = await rollout("--cassette", "told.jsonl", "--cassette-mode", "strict", "-k", "2");
    expect(other.result()).toMatchObject({ counts: { success: 1, infra_error: 1 } });
  });

  it("sends no call that the budget doesn't cover", async () => {
    await server.script(solve, submit);
    const ended = await rollout("--budget-usd", "0.001");
    expect(ended.result()).toMatchObject({ counts: { infra_error: 1 } });
    expect(ended.stdout).toContain("budget_exhausted");
    expect(await server.log()).toHaveLength(0);
  });

  it("drives a program that reads the prompt and answers, without our secrets", async () => {
    desk.write({
      "agent.sh": `#!/bin/sh
text=$(cat)
env > "$(dirname "$0")/seen.txt"
case "$text" in
  *"Result of call"*) echo '{"calls": [{"name": "submit", "arguments": {}}]}' ;;
  *) echo '{"calls": [{"name": "run", "arguments": {"command": "mkdir -p /app/out && echo 42 > /app/out/answer.txt"}}]}' ;;
esac
`,
    });
    const ended = await desk.run(
      "rollout",
      "tasks",
      "--builder",
      "host",
      "--json",
      "--agent",
      `model:command:sh ${desk.path("agent.sh")}`,
    );
    expect(ended.result(), ended.stderr).toMatchObject({ counts: { success: 1 }, cost: { usd: null } });
    expect(readFileSync(desk.path("seen.txt"), "utf8")).not.toContain(key);
  });

  it("says what is wrong with a model's name, a key that isn't there and a number", async () => {
    const cases: [string[], RegExp][] = [
      [["--agent", "model:nobody"], /there is no model "nobody"/],
      [["--agent", "model:openai:gpt-4.1"], /OPENAI_API_KEY/],
      [["--budget-usd", "much"], /--budget-usd/],
    ];
    for (const [words, message] of cases) {
      const ended = await desk.run("rollout", "tasks", ...words);
      expect(ended.code, ended.stderr).toBe(2);
      expect(ended.stderr).toMatch(message);
    }
  });
});
