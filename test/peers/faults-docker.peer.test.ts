// An engine of this test's own is killed in the middle of trials: a fault of the host, whoever was at work.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SandboxBackend, SandboxHandle } from "../../src/contract/index.ts";
import { callsAgent, runTrial, type TrialOptions } from "../../src/rollouts/index.ts";
import { createDockerBackend, openImageStore, removeTree } from "../../src/sandbox/index.ts";
import { type CopiedRoot, copyRoot } from "../support/copied-root.ts";
import { tamperingTask } from "../tampering/tasks.ts";

const required = process.env.ROUTESETTER_REQUIRE_DOCKER === "1";
const able = process.getuid?.() === 0 && hasEngine();

describe.skipIf(!able && !required)("faults of a Docker engine", () => {
  let directory: string;
  let root: CopiedRoot;
  const engines: ChildProcess[] = [];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "rs-engine-"));
    root = await copyRoot(join(directory, "root"), { shift: true });
  });
  afterAll(async () => {
    for (const engine of engines) engine.kill("SIGKILL");
    await endContainers(directory);
    await removeTree(directory).catch(() => {});
  });

  async function startEngine(name: string): Promise<{ socketPath: string; kill(): void }> {
    const home = join(directory, name);
    const socketPath = join(home, "engine.sock");
    const engine = spawn(
      // In a network namespace of its own: an engine without a bridge removes docker0 where it starts.
      "unshare",
      [
        ...[
          "--net",
          "dockerd",
          "--data-root",
          join(home, "data"),
          "--exec-root",
          join(home, "exec"),
          "--pidfile",
          join(home, "pid"),
        ],
        ...["--host", `unix://${socketPath}`, "--bridge", "none", "--iptables=false", "--ip-masq=false"],
      ],
      { stdio: "ignore" },
    );
    engines.push(engine);
    for (let attempt = 0; attempt < 240; attempt++) {
      try {
        const backend = await createDockerBackend({ stateDirectory: join(home, "probe"), socketPath });
        await backend.close();
        return { socketPath, kill: () => void engine.kill("SIGKILL") };
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
    }
    throw new Error("the engine of this test does not start");
  }

  /** Does something right after the sandbox of number `turn` was made and has run a command. */
  function disturbed(backend: SandboxBackend, turn: number, disturb: (handle: SandboxHandle) => void): SandboxBackend {
    let made = 0;
    return {
      name: backend.name,
      reap: () => backend.reap(),
      probe: () => backend.probe(),
      close: () => backend.close(),
      async create(spec) {
        const handle = await backend.create(spec);
        if (++made === turn) setTimeout(() => disturb(handle), 300);
        return handle;
      },
    };
  }

  async function grade(backend: SandboxBackend, more: Partial<TrialOptions> = {}) {
    const { task, honest } = await tamperingTask(directory, "report", "sealed");
    const images = openImageStore({ stateDirectory: join(directory, "images"), builder: "host" });
    const action = { name: "run", arguments: { command: `sleep 2; ${honest}` } };
    const agent = callsAgent("script", [{ written: "work", action }]);
    return (await runTrial({ backend, images, image: root.image, task, agent, ...more })).grading;
  }

  it.each([
    ["agent's", 1],
    ["verifier's", 2],
  ])("the engine is killed while the %s sandbox is at work", async (_, turn) => {
    const engine = await startEngine(`engine-${turn}`);
    const backend = await createDockerBackend({
      stateDirectory: join(directory, `s${turn}`),
      socketPath: engine.socketPath,
    });
    const grading = await grade(disturbed(backend, turn, engine.kill));
    expect(grading, JSON.stringify(grading)).toMatchObject({ outcome: "infra_error", verdict: null });
    expect(["engine_unavailable", "sandbox_lost"]).toContain(grading.cause?.code);
    await backend.close().catch(() => {});
  });
});

function hasEngine(): boolean {
  try {
    execFileSync("dockerd", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Ends what a killed engine of this test left: processes whose command line names its folder, and their children. */
async function endContainers(directory: string): Promise<void> {
  const rows = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" }).trim().split("\n");
  const parsed = rows.map((row) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(row)?.slice(1) as [string, string, string]);
  const mine = new Set(parsed.filter(([, , command]) => command.includes(directory)).map(([pid]) => pid));
  for (let grew = true; grew; ) {
    grew = false;
    for (const [pid, parent] of parsed)
      if (mine.has(parent) && !mine.has(pid)) {
        mine.add(pid);
        grew = true;
      }
  }
  mine.delete(String(process.pid));
  for (const pid of mine)
    try {
      process.kill(Number(pid), "SIGKILL");
    } catch {}
  await new Promise((resolve) => setTimeout(resolve, 500));
  const mounts = (await readFile("/proc/self/mounts", "utf8")).split("\n").map((line) => line.split(" ")[1] ?? "");
  for (const mount of mounts.filter((path) => path.startsWith(directory)).reverse())
    try {
      execFileSync("umount", ["-l", mount], { stdio: "ignore" });
    } catch {}
}
