// A fault of the host is infrastructure; its twin made by the agent is the agent's failure, with the cause.
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Image, SandboxBackend, SandboxSpec } from "../../src/contract/index.ts";
import { callsAgent, OracleBaseline, oracleAgent, runTrial, type TrialOptions } from "../../src/rollouts/index.ts";
import { createBoxBackend, openImageStore } from "../../src/sandbox/index.ts";
import type { Task } from "../../src/tasks/index.ts";
import { type Bench, openBench } from "../support/bench.ts";

let bench: Bench;
let baseline: OracleBaseline;
beforeAll(async () => {
  bench = await openBench();
  baseline = new OracleBaseline((task) => runTrial({ ...bench, task, agent: oracleAgent(task) }));
});
afterAll(() => bench?.close());

const configuration = (more = "") =>
  `artifacts = ["answer.txt"]\n[metadata]\nverification = "sealed"\n[environment]\nworkdir = "/app"\nnetwork_mode = "no-network"\n${more}`;
const task = (name: string, more = "", files: Record<string, string> = {}) =>
  bench.task(name, { "task.toml": configuration(more), ...files });
const commands = (...lines: string[]) =>
  callsAgent(
    "script",
    lines.map((command) => ({ written: command, action: { name: "run", arguments: { command } } })),
  );
const grade = async (subject: Task, agent: TrialOptions["agent"], more: Partial<TrialOptions> = {}) =>
  (await runTrial({ ...bench, baseline, task: subject, agent, ...more })).grading;

/** A backend that does something to the host right after the sandbox of number `turn` was made. */
function disturbed(
  backend: SandboxBackend,
  turn: number,
  disturb: (id: string) => Promise<void> | void,
): SandboxBackend {
  let made = 0;
  return {
    ...backend,
    name: backend.name,
    reap: () => backend.reap(),
    probe: () => backend.probe(),
    close: () => backend.close(),
    async create(spec: SandboxSpec) {
      const handle = await backend.create(spec);
      if (++made === turn) {
        await handle.session.run("true");
        await disturb(handle.id);
      }
      return handle;
    },
  };
}

/** Ends the processes of this test's own sandbox hosts: those that sleep for a sandbox, below this process. */
function endSandboxHosts(): void {
  const rows = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line)!.slice(1) as [string, string, string]);
  const below = new Set([String(process.pid)]);
  for (let grew = true; grew; ) {
    grew = false;
    for (const [pid, parent] of rows)
      if (below.has(parent) && !below.has(pid)) {
        below.add(pid);
        grew = true;
      }
  }
  for (const [pid, , command] of rows)
    if (below.has(pid) && /unshare|bwrap|nsenter|sleep infinity/.test(command)) {
      try {
        process.kill(Number(pid), "SIGKILL");
      } catch {}
    }
}

describe("faults of the host are infra_error", () => {
  it("the image is missing", async () => {
    const subject = await task("no-image", "", { "environment/Dockerfile": "FROM registry.invalid/nothing:1\n" });
    expect(await grade(subject, oracleAgent(subject))).toMatchObject({ outcome: "infra_error", verdict: null });
    const { image } = await bench.images.resolve({ context: join((await task("gone")).directory, "environment") });
    const gone: Image = { ...image, layers: image.layers.map((layer) => `${layer}-gone`) };
    expect(await grade(await task("gone"), oracleAgent(await task("gone")), { image: gone })).toMatchObject({
      outcome: "infra_error",
    });
  });

  it.each([
    ["agent's", 1],
    ["verifier's", 2],
  ])("the processes that hold the %s sandbox are ended from outside", async (_, turn) => {
    const own = await createBoxBackend({ stateDirectory: join(bench.directory, `killed-${turn}`) });
    try {
      const backend = disturbed(own, turn, endSandboxHosts);
      const subject = await task("killed");
      const grading = await grade(subject, commands("sleep 1", "echo done > answer.txt"), { backend });
      expect(grading, JSON.stringify(grading)).toMatchObject({ outcome: "infra_error", verdict: null });
    } finally {
      await own.close().catch(() => {});
    }
  });

  it("the host's disk is full", async (context) => {
    const directory = await mkdtemp(join(tmpdir(), "rs-full-"));
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=24m", "tmpfs", directory], { stdio: "ignore" });
    } catch {
      await rm(directory, { recursive: true });
      context.skip("mounting a small file system needs root");
    }
    try {
      await mkdir(join(directory, "box"));
      const backend = await createBoxBackend({ stateDirectory: join(directory, "box") });
      const subject = await task("full", "storage_mb = 1000\n");
      const fill = commands("head -c 100M /dev/zero > big; sync; true", "echo done > answer.txt");
      const grading = await grade(subject, fill, { backend, workDirectory: directory });
      expect(grading, JSON.stringify(grading)).toMatchObject({ outcome: "infra_error", verdict: null });
      expect(grading.cause?.code).toBe("host_disk_full");
      await backend.close();
    } finally {
      execFileSync("umount", ["-l", directory]);
      await rm(directory, { recursive: true });
    }
  });

  it("no builder is there", async () => {
    const images = openImageStore({
      stateDirectory: join(bench.directory, "no-engine"),
      builder: "docker",
      socketPath: join(bench.directory, "no.sock"),
    });
    const subject = await task("no-engine");
    expect(await grade(subject, oracleAgent(subject), { images })).toMatchObject({ outcome: "infra_error" });
  });
});

describe("their twins made by the agent are failures with the cause", () => {
  it("fills its disk quota", async () => {
    const subject = await task("quota", "storage_mb = 8\n");
    const grading = await grade(subject, commands("head -c 200M /dev/zero > big && echo done > answer.txt"));
    expect(grading, JSON.stringify(grading)).toMatchObject({ outcome: "failure", cause: { code: "disk_limit" } });
    const right = await grade(subject, commands("echo done > answer.txt", "head -c 200M /dev/zero > big"));
    expect(right.outcome).toBe("success");
  });

  it("reaches its memory limit", async () => {
    const subject = await task("memory", "memory_mb = 64\n");
    const greedy =
      "python3 -c 'x = bytearray(512 << 20)\nfor i in range(0, len(x), 4096): x[i] = 1\nimport time; time.sleep(30)'";
    expect(await grade(subject, commands(greedy))).toMatchObject({
      outcome: "failure",
      cause: { code: "memory_limit", limit: 64 * 1024 * 1024 },
    });
  });

  it("starts processes without end", async () => {
    const subject = await task("fork");
    const grading = await grade(subject, commands("f() { f | f & }; f; sleep 2; false"));
    expect(grading, JSON.stringify(grading)).toMatchObject({ outcome: "failure", cause: { code: "process_limit" } });
  });

  it("hangs", async () => {
    const subject = await task("hang", "[agent]\ntimeout_sec = 1\n");
    expect(await grade(subject, commands("sleep 600"))).toMatchObject({
      outcome: "failure",
      cause: { code: "time_limit", limit: 1 },
    });
  });

  it("leaves a file that hangs the verifier", async () => {
    const subject = await task("hanging-file", "[verifier]\ntimeout_sec = 1\n", {
      "tests/test.sh":
        '#!/bin/bash\nread -r first < /app/answer.txt\n[ "$first" = loop ] && while :; do sleep 0.1; done\n[ "$first" = done ]\necho $((1 - $?)) > /logs/verifier/reward.txt\n',
    });
    expect(await grade(subject, commands("echo loop > answer.txt"))).toMatchObject({
      outcome: "failure",
      cause: { code: "verifier_timeout", limit: 1 },
    });
    expect(await grade(subject, commands("mkfifo answer.txt"))).toMatchObject({
      outcome: "failure",
      cause: { code: "artefact_refused" },
    });
  });

  it("leaves a file on which the verifier runs out of memory", async () => {
    const subject = await task("greedy-file", "memory_mb = 64\n", {
      "tests/test.sh":
        "#!/bin/bash\nset -e\npython3 -c 'import time; n = len(open(\"/app/answer.txt\").read()); x = bytearray(n * 20)\nfor i in range(0, len(x), 4096): x[i] = 1\ntime.sleep(0.3)'\necho 1 > /logs/verifier/reward.txt\n",
    });
    const grading = await grade(subject, commands("head -c 20M /dev/zero > answer.txt"));
    expect(grading, JSON.stringify(grading)).toMatchObject({
      outcome: "failure",
      cause: { code: "verifier_memory_limit" },
    });
  });
});
