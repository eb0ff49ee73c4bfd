import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Random } from "../../statistics/index.ts";
import { compileEntry } from "./compile-entry.ts";
import { type CrashPlan, crashPoints } from "./crash-flow.ts";
import { pause } from "./harness.ts";

export type CrashOptions = {
  /** A module that calls `runCrashChild` with the engine's `open`. */
  readonly entry: URL;
  /** Boundaries at which it is killed; every one when true, else some of each kind. */
  readonly everyBoundary: boolean;
  /** Kills at random moments (BR064). */
  readonly randomKills: number;
};
type Ended = {
  readonly signal: string | null;
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
};

const expected = { first: 1, sum: 26, isSameOrder: true, inner: 5, large: 70_000, last: expect.any(Number) };

/** SIGKILL of the whole process, at step boundaries and at random moments, then resume. */
export function crashConformance({ entry, everyBoundary, randomKills }: CrashOptions): void {
  describe("a killed process", () => {
    let program: ReturnType<typeof compileEntry>;
    const directories: string[] = [];
    const newDirectory = () => {
      const directory = mkdtempSync(join(tmpdir(), "routesetter-crash-"));
      directories.push(directory);
      return directory;
    };
    beforeAll(() => {
      program = compileEntry(entry);
    });
    afterAll(() => {
      program?.remove();
      for (const directory of directories) rmSync(directory, { recursive: true, force: true });
    });

    const start = (plan: CrashPlan): { child: ChildProcess; ready: Promise<void>; ended: Promise<Ended> } => {
      const child = spawn(process.execPath, [program.file, JSON.stringify(plan)], {
        stdio: ["ignore", "pipe", "pipe"],
      });
      let output = "";
      let errors = "";
      let isReady = () => {};
      const ready = new Promise<void>((resolve) => {
        isReady = resolve;
      });
      child.stdout?.on("data", (chunk: Buffer) => {
        output += chunk;
        isReady();
      });
      child.stderr?.on("data", (chunk: Buffer) => {
        errors += chunk;
      });
      const ended = new Promise<Ended>((resolve) => {
        child.on("close", (code, signal) => {
          isReady();
          resolve({ signal, code, output, errors });
        });
      });
      return { child, ready, ended };
    };
    const finish = async (plan: CrashPlan): Promise<unknown> => {
      const { code, output, errors } = await start(plan).ended;
      expect([code, errors]).toEqual([0, ""]);
      return JSON.parse(output.trim().split("\n").at(-1) as string);
    };
    const executions = (directory: string) =>
      readFileSync(join(directory, "executions.log"), "utf8").trim().split("\n");

    const points = everyBoundary ? crashPoints : crashPoints.filter((_, index) => index % 8 === 1);
    it.each(points)("at %s resumes and redoes at most what was in flight", async (killAt) => {
      const directory = newDirectory();
      const plan = { directory, killAt, latencySeed: killAt, reversed: false };
      expect(await start(plan).ended).toMatchObject({ signal: "SIGKILL", errors: "" });
      expect(await finish({ ...plan, killAt: null, latencySeed: `${killAt} again`, reversed: true })).toEqual(expected);
      assertNothingRedone(executions(directory));
      const starts = executions(directory).filter((line) => line === `start ${killAt.split(":")[0]}`);
      expect(starts).toHaveLength(killAt.endsWith(":journalled") ? 1 : 2);
    });

    it(`${randomKills} times at random moments gives the same result each time`, { timeout: 600_000 }, async () => {
      const random = new Random("random kills");
      const results = new Set<string>();
      let directory = newDirectory();
      for (let kills = 0; kills < randomKills; ) {
        const reversed = random.boolean();
        const { child, ready, ended } = start({ directory, killAt: null, latencySeed: `${kills}`, reversed });
        await ready;
        await pause(random.integer(0, 45));
        child.kill("SIGKILL");
        const { signal, code, output, errors } = await ended;
        expect(errors).toBe("");
        if (signal === "SIGKILL") kills++;
        else expect(code).toBe(0);
        if (signal === "SIGKILL" && kills % 4 !== 0) continue;
        const line = signal === "SIGKILL" ? null : (output.trim().split("\n").at(-1) as string);
        const result = line ?? JSON.stringify(await finish({ directory, killAt: null, latencySeed: "end", reversed }));
        expect(JSON.parse(result)).toEqual(expected);
        results.add(result);
        assertNothingRedone(executions(directory));
        rmSync(directory, { recursive: true, force: true });
        directory = newDirectory();
      }
      expect(results.size).toBeLessThanOrEqual(1);
    });
  });
}

function assertNothingRedone(lines: readonly string[]): void {
  const done = new Set<string>();
  for (const line of lines) {
    const [what, ...key] = line.split(" ");
    if (what === "done") done.add(key.join(" "));
    else expect(done.has(key.join(" ")), `${key.join(" ")} was executed again after it was journalled`).toBe(false);
  }
}
