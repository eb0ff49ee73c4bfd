// Several real processes in one project: one writes, others read, intrude, and take over from the killed.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openStore } from "../../store/index.ts";
import { compileEntry } from "../conformance/compile-entry.ts";
import { cancelRun, listRuns, showRun } from "../index.ts";

let program: ReturnType<typeof compileEntry>;
let directory: string;
const children: ChildProcess[] = [];
beforeAll(() => {
  program = compileEntry(new URL("./process-child.ts", import.meta.url));
});
afterAll(() => program?.remove());
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "routesetter-processes-"));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(directory, { recursive: true, force: true });
});

function start(role: string, count = 0) {
  const child = spawn(process.execPath, [program.file, role, directory, String(count)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  let output = "";
  const lines = () => output.trim().split("\n");
  const ready = new Promise<void>((resolve) => {
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk;
      resolve();
    });
  });
  const ended = new Promise<unknown>((resolve) => {
    child.on("close", (code, signal) => resolve(signal ?? { code, ...JSON.parse(lines().at(-1) || "null") }));
  });
  return { child, ready, ended };
}

describe("processes in one project", () => {
  it("100,000 steps are written beside two followers, with the log bounded, and a second writer is told who is there", async () => {
    const writer = start("write", 100_000);
    await writer.ready;
    const followers = [start("follow"), start("follow")];
    const intruder = await start("intrude").ended;
    expect(intruder).toMatchObject({
      code: "project_owned",
      message: expect.stringMatching(new RegExp(`process ${writer.child.pid} on .* since .*forge --count many`)),
    });
    const { code, wal, memory } = (await writer.ended) as { code: number; wal: number; memory: number };
    expect(code).toBe(0);
    expect(wal).toBeLessThan(64e6);
    expect(memory).toBeLessThan(250e6);
    for (const { ended } of followers) expect(await ended).toMatchObject({ code: 0, seen: 10_000, status: "done" });
  });

  it("a killed owner's run is stopped at the stage it was at, can be cancelled, and the project can be taken", async () => {
    const owner = start("wait");
    await owner.ready;
    const reader = openStore(directory, { mode: "read" });
    expect(listRuns(reader)).toMatchObject([{ id: "waits", status: "running" }]);
    owner.child.kill("SIGKILL");
    expect(await owner.ended).toBe("SIGKILL");
    expect(showRun(reader, "waits")).toMatchObject({
      run: { status: "stopped" },
      inFlight: [{ key: "s", stage: "trial" }],
      stages: [{ stage: "trial", status: "interrupted", count: 1 }],
    });
    const late = openStore(directory, { mode: "read" });
    expect(listRuns(late)).toMatchObject([{ id: "waits", status: "stopped" }]);
    late.close();
    expect(await cancelRun(directory, "waits", "killed anyway")).toBe("cancelled");
    expect(listRuns(reader)).toMatchObject([{ id: "waits", status: "cancelled" }]);
    reader.close();
    openStore(directory).close();
  });

  it("a stopped (SIGSTOP) owner still owns the project", async () => {
    const owner = start("wait");
    await owner.ready;
    owner.child.kill("SIGSTOP");
    expect(await start("intrude").ended).toMatchObject({ code: "project_owned" });
  });
});
