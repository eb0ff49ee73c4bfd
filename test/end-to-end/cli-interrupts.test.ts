// Ctrl-C, signals, closed pipes: a command stops in good order, and its run goes on as if nothing had been.
import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Desk, processesNaming } from "../support/command-line.ts";

let desk: Desk;
const names = ["a", "b", "c", "d"];
const check = ["check", "tasks", "--gate", "oracle_max", "--concurrency", "1"];
beforeAll(async () => {
  desk = new Desk();
  for (const name of names) desk.task(name, {}, name === "a" ? 0 : 1);
  expect((await desk.run("check", "tasks/a", "--gate", "oracle_max")).code).toBe(0);
});
afterAll(() => desk?.close());

const runId = (text: string) => /"run":"(check-\d+)"/.exec(text)?.[1] as string;
const shownRun = async (id: string) => (await desk.run("runs", "show", id, "--json")).result().run;

async function expectResumes(id: string): Promise<void> {
  const stopped = await shownRun(id);
  expect(stopped.run.status).toBe("stopped");
  expect(stopped.run.steps).toBeLessThan(names.length);
  const resumed = await desk.run("runs", "resume", id, "--json");
  expect(resumed.code, resumed.stderr).toBe(0);
  expect(resumed.result().counts).toMatchObject({ found: 4, loaded: 4, accepted: 4 });
  expect(resumed.events().filter(({ type }) => type === "report")).toHaveLength(4);
  expect((await shownRun(id)).run).toMatchObject({ status: "done", steps: 4 });
}

describe("signals", () => {
  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("%s stops in good order; the run resumes", async (signal) => {
    const started = desk.start([...check, "--json"]);
    await started.until('"done":1');
    started.process.kill(signal);
    const ended = await started.ended;
    expect(ended.code).toBe(130);
    expect(ended.stderr).toContain("once more ends at once");
    expect(ended.result()).toMatchObject({ type: "result", command: "check", status: "interrupted", exitCode: 130 });
    expect(ended.result().counts.found).toBeLessThan(4);
    await expectResumes(runId(ended.stdout));
    expect(processesNaming(desk.cache)).toEqual([]);
  });

  it("says how to go on", async () => {
    desk.task("long", {}, 30);
    const long = desk.start(["check", "project/tasks/long", "--gate", "oracle_max", "--project", "project"], {
      cwd: desk.directory,
    });
    while (processesNaming(desk.cache).length === 0) await sleep(50);
    long.process.kill("SIGINT");
    const { code, stdout } = await long.ended;
    expect(code).toBe(130);
    expect(stdout).toMatch(/stopped; go on with: routesetter runs resume check-\d+ --project project\n/);
    expect(stdout).toContain("status: interrupted (exit 130)");
  });

  it("twice ends at once", async () => {
    const started = desk.start(["check", "tasks/long", "--gate", "oracle_max", "--json"]);
    await started.until("run-started");
    await sleep(1500);
    started.process.kill("SIGINT");
    started.process.kill("SIGINT");
    await sleep(20);
    started.process.kill("SIGINT");
    const before = performance.now();
    const ended = await started.ended;
    expect(performance.now() - before).toBeLessThan(2000);
    expect(ended.code).toBe(130);
    expect(ended.result()).toMatchObject({ type: "result", status: "interrupted" });
    expect((await shownRun(runId(ended.stdout))).run.status).toBe("stopped");
    expect((await desk.run("runs", "clean")).code).toBe(0);
    await sleep(300);
    expect(processesNaming(desk.cache)).toEqual([]);
  });
});

describe("a closed pipe", () => {
  // BR110
  it("ends a long command quietly, and its run resumes", async () => {
    const { code, stdout, stderr } = await desk.shell(
      "set -o pipefail; $R check tasks/a tasks/b tasks/c tasks/d --gate oracle_max --concurrency 1 --json | head -n 1",
    );
    expect([code, stderr]).toEqual([0, ""]);
    await expectResumes(runId(stdout));
    const bytes = await desk.shell(
      "set -o pipefail; $R check tasks/a tasks/b tasks/c tasks/d --gate oracle_max --json | head -c 10",
    );
    expect([bytes.code, bytes.stderr, bytes.stdout]).toEqual([0, "", '{"type":"r']);
    expect(processesNaming(desk.cache)).toEqual([]);
  });

  it("ends short commands quietly", async () => {
    for (const line of ["$R runs list | true", "$R --help | true", "$R runs show check-1 --json | head -c 1"]) {
      const { code, stderr } = await desk.shell(`set -o pipefail; ${line}`);
      expect([line, code, stderr]).toEqual([line, 0, ""]);
    }
  });

  it("of a terminal that was closed (SIGHUP, then writing fails) leaves a run that resumes", async () => {
    const { stdout } = await desk.shell(
      `timeout 30 python3 -c '
import os, pty, sys, time
pid, terminal = pty.fork()
if pid == 0: os.execvp("bash", ["bash", "-c", "exec $R check tasks/a tasks/b tasks/c tasks/d --gate oracle_max --concurrency 1"])
seen = b""
while b"accepted" not in seen: seen += os.read(terminal, 4096)
os.close(terminal)
_, status = os.waitpid(pid, 0)
print(os.waitstatus_to_exitcode(status))'`,
    );
    expect(stdout.trim()).toBe("-1");
    const runs = (await desk.run("runs", "list", "--json")).result().runs;
    await expectResumes(runs.at(-1).id);
  });
});

it("leaves no work behind", () => {
  expect(readdirSync(desk.path(".routesetter"))).not.toContain("work");
});
