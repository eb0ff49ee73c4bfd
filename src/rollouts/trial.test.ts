import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bench, openBench } from "../../test/support/bench.ts";
import type { VerificationMode } from "../contract/index.ts";
import type { Task } from "../tasks/index.ts";
import { nopAgent } from "./agents/nop.ts";
import { callsAgent, replayAgent, scriptAgent } from "./agents/script.ts";
import { oracleAgent, partialAgent } from "./agents/solution.ts";
import { OracleBaseline } from "./oracle-baseline.ts";
import { strongestMode } from "./strongest-mode.ts";
import { runTrial, type TrialOptions } from "./trial.ts";

let bench: Bench;
let baseline: OracleBaseline;
beforeAll(async () => {
  bench = await openBench();
  baseline = new OracleBaseline((task) => runTrial({ ...bench, task, agent: oracleAgent(task) }));
});
afterAll(() => bench?.close());

const declared =
  'artifacts = ["answer.txt"]\n[metadata]\nverification = "sealed"\n[environment]\nworkdir = "/app"\nnetwork_mode = "no-network"\n';
const sealed = (name: string, files: Record<string, string> = {}) =>
  bench.task(name, { "task.toml": declared, ...files });
const commands = (...lines: string[]) =>
  callsAgent(
    "script",
    lines.map((command) => ({ written: command, action: { name: "run", arguments: { command } } })),
  );
const trial = (task: Task, agent: TrialOptions["agent"], more: Partial<TrialOptions> = {}) =>
  runTrial({ ...bench, baseline, task, agent, ...more });
const grade = async (task: Task, ...lines: string[]) => (await trial(task, commands(...lines))).grading;

describe("modes", () => {
  it.each<VerificationMode>(["sealed", "restored", "live"])(
    "%s gives the oracle everything and the idle nothing",
    async (mode) => {
      const task = await sealed("both");
      const oracle = await trial(task, oracleAgent(task), { mode });
      expect(oracle.grading).toMatchObject({ outcome: "success", verdict: { score: 1, mode, attacks: [] } });
      expect(oracle.scriptExit).toBe(0);
      const nop = await trial(task, nopAgent(), { mode });
      expect(nop.grading).toMatchObject({ outcome: "failure", verdict: { score: 0 }, cause: { code: "wrong_result" } });
    },
  );

  it.each<VerificationMode>(["sealed", "restored"])("%s gives the same in other surroundings", async (mode) => {
    const task = await sealed("varied");
    const variation = {
      hostname: "elsewhere",
      timeZone: "Asia/Kathmandu",
      locale: "C",
      hashSeed: 7,
      directoryOrder: "shuffled",
    } as const;
    expect((await trial(task, oracleAgent(task), { mode, variation })).grading).toMatchObject({ outcome: "success" });
    expect((await trial(task, nopAgent(), { mode, variation })).grading).toMatchObject({ outcome: "failure" });
  });

  it("finds the strongest in which the oracle earns everything", async () => {
    const anywhere = await bench.task("undeclared");
    expect((await strongestMode(anywhere, bench)).mode).toBe("restored");
    expect((await strongestMode(await sealed("declared"), bench)).mode).toBe("sealed");
    const system = await bench.task("system", {
      "solution/solve.sh": "#!/bin/bash\necho 127.0.0.9 made >> /etc/hosts\n",
      "tests/test.sh": "#!/bin/bash\ngrep -c made /etc/hosts > /logs/verifier/reward.txt\n",
    });
    const found = await strongestMode(system, bench);
    expect([found.mode, found.trials.map(({ mode }) => mode)]).toEqual(["live", ["restored", "live"]]);
    const broken = await bench.task("unsolved", { "solution/solve.sh": "#!/bin/bash\nfalse\n" });
    expect((await strongestMode(broken, bench)).mode).toBeNull();
  });

  it("carries over honest changes with owner, mode, links and removals when restored", async () => {
    const task = await bench.task("carried", {
      "environment/Dockerfile": "FROM debian:bookworm\nWORKDIR /app\nCOPY input.txt /app/\nCOPY input.txt /srv/old/a\n",
      "solution/solve.sh":
        "#!/bin/bash\nset -e\nmkdir -p /srv/new/deep /srv/empty\necho x > /srv/new/deep/file\nln -s deep/file /srv/new/link\nrm -r /srv/old input.txt\n" +
        "chown -R www-data:www-data /srv/new\nchmod 0640 /srv/new/deep/file\nchmod 0700 /srv/empty\nprintf 'a b' > \"/srv/it's \\$here\"\n",
      "tests/test.sh":
        "#!/bin/bash\nset -e\necho 0 > /logs/verifier/reward.txt\n[ \"$(stat -c '%U %a' /srv/new/deep/file)\" = 'www-data 640' ]\n[ \"$(readlink /srv/new/link)\" = deep/file ]\n" +
        '[ "$(cat /srv/new/link)" = x ]\n[ ! -e /srv/old ]\n[ ! -e /app/input.txt ]\n[ "$(stat -c %a /srv/empty)" = 700 ]\n[ "$(cat "/srv/it\'s \\$here")" = \'a b\' ]\necho 1 > /logs/verifier/reward.txt\n',
    });
    const result = await trial(task, oracleAgent(task), { mode: "restored" });
    expect(result.grading, JSON.stringify(result.grading)).toMatchObject({ outcome: "success" });
  });
});

describe("artefacts", () => {
  it.each([
    ["a link", "ln -s /etc/passwd answer.txt"],
    ["a link to the answer", "ln -s /tests/expected answer.txt"],
    ["a FIFO", "mkfifo answer.txt"],
    ["a folder with a link that leads out", "mkdir answer.txt; ln -s / answer.txt/root"],
    ["a link on the way", "cd /; mv app real; mkdir other; echo done > other/answer.txt; ln -s other app"],
  ])("%s is refused, and is the agent's failure", async (_, command) => {
    for (const mode of ["sealed", "restored"] as const) {
      const { grading } = await trial(await sealed("refused"), commands(command), { mode });
      expect(grading, mode).toMatchObject({ outcome: "failure", verdict: { score: 0 } });
      if (mode === "sealed") expect(["artefact_refused", "wrong_result"]).toContain(grading.cause?.code);
    }
  });

  it("a missing one is a plain failure, also when the image had it", async () => {
    const task = await bench.task("present", {
      "task.toml": declared,
      "environment/Dockerfile": "FROM debian:bookworm\nWORKDIR /app\nCOPY input.txt /app/answer.txt\n",
      "tests/test.sh": "#!/bin/bash\n[ -e /app/answer.txt ]\necho $((1 - $?)) > /logs/verifier/reward.txt\n",
    });
    expect(await grade(task, "rm answer.txt")).toMatchObject({ outcome: "failure", cause: { code: "wrong_result" } });
    expect((await trial(task, nopAgent())).grading.outcome).toBe("success");
  });

  // BR055
  it("is readable to a verifier that is not root", async () => {
    const toml = declared
      .replace('["answer.txt"]', '["private"]')
      .replace("[environment]", '[verifier]\nuser = "nobody"\n[environment]');
    const task = await bench.task("private", {
      "task.toml": toml,
      "solution/solve.sh":
        "#!/bin/bash\numask 077; mkdir private; echo done > private/answer.txt; chmod 0600 private/answer.txt; chmod 0700 private\n",
      "tests/test.sh":
        '#!/bin/bash\nid -un; if [ "$(cat /app/private/answer.txt)" = done ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt\n',
    });
    const { grading } = await trial(task, oracleAgent(task));
    expect(grading.verdict?.details?.output).toContain("nobody");
    expect(grading.outcome).toBe("success");
  });

  // BR056
  it("may be /tmp or /logs/artifacts, a file of that name too, and leaves out what is excluded", async () => {
    const task = await bench.task("folders", {
      "task.toml": declared.replace(
        '["answer.txt"]',
        '["/tmp", { source = "/data", exclude = ["*.log", "a&b|c", "[x]"] }]',
      ),
      "tests/test.sh":
        "#!/bin/bash\n(cd /; find tmp data logs/artifacts | sort)\n[ -f /logs/artifacts ]\necho $((1 - $?)) > /logs/verifier/reward.txt\n",
    });
    const { grading } = await trial(
      task,
      commands(
        "mkdir -p /data/d; touch /tmp/mine /data/a.log /data/d/b.log '/data/a&b|c' '/data/[x]' /data/x /data/kept; rm -r /logs/artifacts; echo x > /logs/artifacts",
      ),
    );
    expect(grading.verdict?.details?.output, JSON.stringify(grading)).toBe(
      "data\ndata/[x]\ndata/d\ndata/kept\nlogs/artifacts\ntmp\ntmp/mine\n",
    );
    expect(grading.outcome).toBe("success");
  });
});

describe("verdicts", () => {
  const writing = (reward: string) => `#!/bin/bash\nprintf '%b' '${reward}' > /logs/verifier/reward.txt\n`;
  // BR004
  it("a reward that is not one number in 0..1 is a fault of the task, never 0 or 1", async () => {
    const texts = [
      "100",
      "1.5",
      "1abc",
      "-1",
      "nan",
      "1e999",
      "0x1",
      "true",
      "\\xef\\xbc\\x91",
      "1\\n0\\n",
      "\\xef\\xbb\\xbf1",
      "",
    ];
    await Promise.all(
      texts.map(async (text, index) => {
        const task = await sealed(`reward-${index}`, { "tests/test.sh": writing(text) });
        const { grading } = await trial(task, oracleAgent(task));
        expect(grading, text).toMatchObject({ outcome: "task_error", verdict: null });
        expect(grading.cause?.code, text).toMatch(/^reward_/);
      }),
    );
  });

  it("tells the verifier's fault from the agent's by the oracle", async () => {
    const hangs = await sealed("hangs", {
      "task.toml": `${declared}[verifier]\ntimeout_sec = 1\n`,
      "tests/test.sh":
        '#!/bin/bash\n[ "$(cat /app/answer.txt)" = hang ] && sleep 60\n[ "$(cat /app/answer.txt)" = die ] && exit 3\n[ "$(cat /app/answer.txt)" = done ]\necho $((1 - $?)) > /logs/verifier/reward.txt\n',
    });
    expect(await grade(hangs, "echo hang > answer.txt")).toMatchObject({
      outcome: "failure",
      cause: { code: "verifier_timeout", limit: 1 },
    });
    expect(await grade(hangs, "echo die > answer.txt")).toMatchObject({
      outcome: "failure",
      cause: { code: "verifier_crash" },
    });
    const always = await sealed("always", { "tests/test.sh": "#!/bin/bash\nexit 3\n" });
    expect(await grade(always, "echo done > answer.txt")).toMatchObject({
      outcome: "task_error",
      cause: { code: "verifier_crash" },
    });
  });

  it("passes no one who went through fewer checks than the oracle, and no one where none ran", async () => {
    const skips = await sealed("skips", {
      "tests/test.sh":
        '#!/bin/bash\n[ "$(cat /app/answer.txt)" = done ] && more=\', "second": 1\'\necho "{\\"reward\\": 1, \\"first\\": 1$more}" > /logs/verifier/reward.json\n',
    });
    expect(await grade(skips, "echo done > answer.txt")).toMatchObject({ outcome: "success" });
    expect(await grade(skips, "echo other > answer.txt")).toMatchObject({
      outcome: "failure",
      cause: { code: "checks_missing" },
      verdict: { score: 0, success: false },
    });
    const none = await sealed("none", {
      "tests/test.sh": "#!/bin/bash\necho '==== 3 skipped in 0.01s ===='\necho 1 > /logs/verifier/reward.txt\n",
    });
    expect((await trial(none, oracleAgent(none))).grading).toMatchObject({
      outcome: "task_error",
      cause: { code: "no_check_ran" },
    });
  });

  it("reports what was written where only the kernel writes, and counts the work alone", async () => {
    const task = await sealed("forged");
    const forge =
      "mkdir -p /tests; echo 1 | tee /logs/verifier/reward.txt; echo '{\"reward\": 1}' > /logs/verifier/reward.json; echo x > /tests/test.sh";
    const forged = await grade(task, forge);
    expect(forged).toMatchObject({ outcome: "failure", verdict: { score: 0 }, cause: { code: "reward_forged" } });
    expect(forged.verdict?.attacks).toEqual([
      "written before verification: /logs/verifier/reward.json",
      "written before verification: /logs/verifier/reward.txt",
      "written before verification: /tests/test.sh",
    ]);
    const beside = await grade(task, forge, "echo done > answer.txt");
    expect(beside.outcome).toBe("success");
    expect(beside.verdict?.attacks).toHaveLength(3);
  });
});

describe("agents", () => {
  // BR024
  it("gives the solution its variables, byte for byte", async () => {
    const toml = (value: string) =>
      `[environment]\nworkdir = "/app"\nnetwork_mode = "no-network"\nskills_dir = "/skills"\nenv = { B = "a$b'c" }\n[solution]\nenv = { A = ${JSON.stringify(value)} }\n`;
    const files = (value: string) => ({
      "task.toml": toml(value),
      "solution/solve.sh":
        '#!/bin/bash\nprintf \'%s|%s|%s|%s\' "$A" "$B" "$DEBIAN_FRONTEND" "$PWD" > /app/answer.txt\n',
      "tests/test.sh": "#!/bin/bash\ncat /app/answer.txt\necho 1 > /logs/verifier/reward.txt\n",
    });
    const seen = async (value: string, variables: Record<string, string>) => {
      const task = await bench.task("variables", files(value));
      return (await trial(task, oracleAgent(task, variables), { variables })).grading;
    };
    expect((await seen(`\${HOST_A:-x}`, {})).verdict?.details?.output).toBe("x|a$b'c|noninteractive|/app");
    expect((await seen(`\${HOST_A:-x}`, { HOST_A: 'p\nq"$' })).verdict?.details?.output).toBe(
      "p\nq\"$|a$b'c|noninteractive|/app",
    );
    expect(await seen(`\${HOST_A}`, {})).toMatchObject({ outcome: "task_error", cause: { code: "variable_unset" } });
  });

  it("runs partial solutions, scripts of both kinds, and what was recorded", async () => {
    const task = await sealed("agents", { "solution/partial_half.sh": "#!/bin/bash\necho half > answer.txt\n" });
    expect((await trial(task, partialAgent(task, "half"))).grading.outcome).toBe("failure");
    expect((await trial(task, partialAgent(task, "other"))).grading).toMatchObject({
      outcome: "task_error",
      cause: { code: "no_partial" },
    });
    const shell = join(bench.directory, "script.sh");
    await writeFile(shell, "#!/bin/bash\n# first\ncat > answer.txt <<END\ndone\nEND\nls\n");
    const recorded = await trial(task, await scriptAgent(shell));
    expect(recorded.grading.outcome).toBe("success");
    expect(recorded.trajectory.steps.map(({ call }) => call.action?.arguments.command)).toEqual([
      "cat > answer.txt <<END\ndone\nEND",
      "ls",
    ]);
    const lines = join(bench.directory, "script.jsonl");
    await writeFile(
      lines,
      '{"name": "write", "arguments": {"path": "answer.txt", "content": "done"}}\n{"name": "submit", "arguments": {}}\n',
    );
    expect((await trial(task, await scriptAgent(lines))).grading.outcome).toBe("success");
    const again = await trial(task, replayAgent(JSON.parse(JSON.stringify(recorded.trajectory))));
    expect(again.grading.outcome).toBe("success");
    expect(again.trajectory.steps.map(({ result }) => result.shown)).toEqual(
      recorded.trajectory.steps.map(({ result }) => result.shown),
    );
    await writeFile(lines, '{"name": "write"}\n');
    await expect(scriptAgent(lines)).rejects.toMatchObject({ code: "script_unreadable" });
  });

  it("stops at the task's limit on the agent's time, and keeps what was printed", async () => {
    const task = await sealed("slow", { "task.toml": `${declared}[agent]\ntimeout_sec = 0.5\n` });
    const { grading, trajectory } = await trial(task, commands("echo begun; sleep 60", "echo never"));
    expect(grading).toMatchObject({ outcome: "failure", cause: { code: "time_limit", limit: 0.5 } });
    expect(trajectory.steps).toHaveLength(1);
    expect(trajectory.steps[0]?.result.shown.text).toContain("begun");
    const right = await trial(task, commands("echo done > answer.txt; sleep 60"));
    expect(right.grading.outcome).toBe("success");
  });

  it("is cancelled, leaving nothing behind", async () => {
    const task = await sealed("cancelled");
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 300);
    const { grading } = await trial(task, commands("sleep 60"), { signal: abort.signal });
    expect(grading.outcome).toBe("cancelled");
  });
});
