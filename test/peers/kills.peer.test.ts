import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { listRuns, showRun } from "../../src/engine/index.ts";
import { Random } from "../../src/statistics/index.ts";
import { openStore } from "../../src/store/index.ts";

const cli = new URL("../../dist/cli/main.js", import.meta.url).pathname;
const root = mkdtempSync(join(tmpdir(), "kills-"));
const wantedKills = Number(process.env.ROUTESETTER_KILLS ?? 100);
const count = String(process.env.ROUTESETTER_KILL_TASKS ?? 40);

afterAll(() => rmSync(root, { recursive: true, force: true }));

const forgeArguments = (project: string) => [
  cli,
  "forge",
  "--count",
  count,
  "--seed",
  "7",
  "--json",
  "--project",
  project,
];
const environmentOf = (project: string) => ({ ...process.env, ROUTESETTER_CACHE: join(project, "cache") });

function start(project: string): ChildProcess & { output: () => string } {
  const child = spawn(process.execPath, forgeArguments(project), {
    env: environmentOf(project),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout?.on("data", (chunk) => {
    output += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    output += chunk;
  });
  return Object.assign(child, { output: () => output });
}

/** Every path below a folder with its mode and content. */
function tree(directory: string): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (path: string) => {
    for (const name of readdirSync(join(directory, path)).sort()) {
      const own = join(path, name);
      const stat = lstatSync(join(directory, own));
      if (stat.isDirectory()) {
        found.set(`${own}/`, (stat.mode & 0o777).toString(8));
        visit(own);
      } else
        found.set(
          own,
          `${(stat.mode & 0o777).toString(8)} ${createHash("sha256")
            .update(readFileSync(join(directory, own)))
            .digest("hex")}`,
        );
    }
  };
  visit("");
  return found;
}

/** Processes whose command line or working directory names the folder. */
function processesNaming(folder: string): string[] {
  const found: string[] = [];
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      const inside = readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
      const mounts = readFileSync(`/proc/${pid}/mountinfo`, "utf8").includes(folder);
      if (command.includes(folder) || inside || mounts) found.push(`${pid} ${command}`);
    } catch {
      // It ended meanwhile.
    }
  }
  return found;
}

/** What the run had in flight when it was killed, as the journal tells it. */
function stageOf(project: string): string {
  const state = join(project, ".routesetter");
  if (!existsSync(join(state, "state.db"))) return "before the run began";
  const store = openStore(state, { mode: "read" });
  try {
    const [run] = listRuns(store);
    if (run === undefined) return "before the run began";
    const flight = showRun(store, run.id).inFlight.map(({ key, stage }) => `${stage} ${key.split("/")[1]}`);
    return `${run.steps} steps done; in flight: ${flight.join(", ") || "nothing"}`;
  } finally {
    store.close();
  }
}

describe("SIGKILL at random moments", () => {
  it(`forges the same tree after ${wantedKills} kills, and leaves nothing behind`, async () => {
    const whole = join(root, "whole");
    const killed = join(root, "killed");
    const first = start(whole);
    await new Promise((resolve) => first.on("close", resolve));
    expect(first.exitCode, first.output()).toBe(0);

    const random = new Random("kills");
    const log: string[] = [];
    let ended = 0;
    while (log.length < wantedKills) {
      const child = start(killed);
      const closed = new Promise((resolve) => child.on("close", resolve));
      const delay = random.boolean(0.12) ? random.integer(4000, 7000) : random.integer(250, 1200);
      const finished = await Promise.race([closed.then(() => true), sleep(delay).then(() => false)]);
      if (finished) {
        // The run is done: its result is forgotten, so that there is something to kill again.
        expect(child.exitCode, child.output()).toBe(0);
        ended++;
        rmSync(join(killed, ".routesetter"), { recursive: true });
        rmSync(join(killed, "tasks"), { recursive: true });
        continue;
      }
      child.kill("SIGKILL");
      await closed;
      log.push(`${log.length + 1} after ${delay} ms, ${stageOf(killed)}`);
    }
    const last = start(killed);
    await new Promise((resolve) => last.on("close", resolve));
    expect(last.exitCode, last.output()).toBe(0);
    if (process.env.ROUTESETTER_KILL_LOG) writeFileSync(process.env.ROUTESETTER_KILL_LOG, `${log.join("\n")}\n`);
    console.log(
      `${log.length} kills, ${ended} runs ended in between\n${log.filter((_, index) => index % 10 === 0).join("\n")}`,
    );

    expect(log.filter((line) => line.includes("in flight: evaluate")).length).toBeGreaterThan(wantedKills / 3);
    expect([...tree(join(killed, "tasks"))]).toEqual([...tree(join(whole, "tasks"))]);
    await sleep(500);
    expect(processesNaming(root)).toEqual([]);
    expect(readdirSync(join(killed, ".routesetter", "work"))).toEqual([]);
    expect(
      readdirSync(join(killed, "cache", "box"), { recursive: true }).filter((path) =>
        /upper|merged|work/.test(String(path)),
      ),
    ).toEqual([]);
  });
});
