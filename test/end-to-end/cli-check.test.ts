// check: every rendering says the same, the same inputs give the same bytes, whatever the folders are called.
import { mkdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Desk } from "../support/command-line.ts";

let desk: Desk;
const failing = { "solution/solve.sh": "#!/bin/bash\necho wrong > /app/answer.txt\n" };
/** Its image can't be had. */
const ungraded = { "environment/Dockerfile": "FROM registry.invalid/nothing:1\nWORKDIR /app\n" };
const env = { DOCKER_HOST: "unix:///nowhere/docker.sock" };
const plain = ["--gate", "oracle_max", "--gate", "manifest"];
const check = (...args: string[]) => desk.start(["check", ...args], { env }).ended;

beforeAll(() => {
  desk = new Desk();
  for (const name of ["good", `it's "quoted" $HOME`, "white space"]) desk.task(`mixed/${name}`);
  desk.task("mixed/failing", failing);
  desk.task("mixed/unreadable", { "task.toml": "schema_version = \n" });
  desk.task("legacy", {
    "task.toml":
      'version = "1.0"\nartifacts = ["answer.txt"]\n[metadata]\nverification = "sealed"\n[environment]\nworkdir = "/app"\nallow_internet = false\nmemory = "1G"\n',
  });
  desk.task("engine/needed", ungraded);
  mkdirSync(desk.path("empty"));
});
afterAll(() => desk?.close());

describe("the renderings of one check", () => {
  // BR030
  it("say the same counts, graded apart from not graded", async () => {
    const paths = ["tasks/mixed", "tasks/engine"];
    const text = await check(
      ...paths,
      ...plain,
      "--gate",
      "reproducible_build",
      "--set",
      "images.builder=auto",
      "--json",
    );
    expect([text.code, text.stderr.includes("Error")]).toEqual([1, false]);
    const { counts, run } = text.result();
    expect(counts).toMatchObject({ found: 6, loaded: 5, rejected: 1, accepted: 3 });
    expect(counts).toMatchObject({ graded: 4, notGraded: 1, failed: 1 });
    expect(run).toMatch(/^check-\d+$/);
    const line = `${counts.accepted} of ${counts.graded} graded accepted`;
    const rest = `${counts.failed} failed, ${counts.notGraded} not graded (6 found, 5 loaded, 1 rejected)`;
    for (const format of ["text", "markdown", "json", "junit"]) {
      const ended = await check(...paths, ...plain, "--format", format);
      expect(ended.code).toBe(1);
      if (format === "json") {
        const { retaken: _, kept: __, ...expected } = counts;
        expect(JSON.parse(ended.stdout).counts).toEqual(expected);
      } else {
        expect(ended.stdout).toContain(line);
        expect(ended.stdout).toContain(rest);
      }
      if (format === "junit")
        for (const [name, value] of Object.entries(counts))
          expect(ended.stdout).toContain(`<property name="${name}" value="${value}"/>`);
      if (format !== "text") expect(ended.stderr).toContain(line);
    }
  });

  it("are the same bytes for the same inputs and seed, at any concurrency, in a file or on standard output", async () => {
    const reports: string[] = [];
    for (const concurrency of ["1", "3", "3"]) {
      const out = `report-${reports.length}.json`;
      const args = ["tasks/mixed", ...plain, "--seed", "4", "--format", "json"];
      const ended = await check(...args, "--concurrency", concurrency, "--out", out);
      expect(ended.stdout).toContain(`→ ${out}`);
      reports.push(readFileSync(desk.path(out), "utf8"));
    }
    expect(reports[1]).toBe(reports[0]);
    expect(reports[2]).toBe(reports[0]);
    expect((await check("tasks/mixed", ...plain, "--seed", "4", "--format", "json")).stdout).toBe(reports[0]);
    expect(JSON.parse(reports[0] as string).reports.map(({ path }: { path: string }) => path)).toContain(
      `tasks/mixed/it's "quoted" $HOME`,
    );
  });
});

describe("what is there", () => {
  it("an empty tree is no success", async () => {
    const ended = await check("empty");
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain("no task was found");
    expect(ended.stdout).toContain("found 0 · loaded 0 · rejected 0");
    expect((await desk.run("rollout", "empty")).stdout).toContain("no task was found");
  });

  it("a path that isn't there, and folders that can't be read, are named with the reason", async () => {
    const ended = await check("nowhere", "tasks/mixed/unreadable", "--gate", "manifest");
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain("nowhere: is not there → check the path");
    expect(ended.stdout).toMatch(/unreadable\/task\.toml:1:\d+/);
  });

  it("exit 3 when only the machine stood in the way", async () => {
    const ended = await check("tasks/engine", ...plain, "--json");
    expect(ended.code).toBe(3);
    expect(ended.result().counts).toMatchObject({ found: 1, graded: 0, notGraded: 1, failed: 0 });
  });

  it("--limit stops after so many", async () => {
    expect((await check("tasks/mixed", ...plain, "--limit", "2", "--json")).result().counts.found).toBe(2);
  });

  it("another project, paths from here", async () => {
    const ended = await desk.start(
      ["check", "project/tasks/mixed/good", ...plain, "--project", "elsewhere", "--json"],
      {
        cwd: desk.directory,
        env,
      },
    ).ended;
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.events().find(({ type }) => type === "report")?.path).toBe("project/tasks/mixed/good");
  });
});

describe("the streams", () => {
  // BR111
  it("--json: only events on standard output, warnings and noise on standard error, the result last", async () => {
    const noisy = {
      ...env,
      DEBUG: "*",
      NODE_DEBUG: "http,net,stream,fs",
      NODE_OPTIONS: "--trace-deprecation --pending-deprecation --trace-warnings",
    };
    const started = (...args: string[]) => desk.start([...args, "--json"], { env: noisy }).ended;
    for (const args of [
      ["check", "tasks/legacy", "tasks/mixed/good", ...plain],
      ["rollout", "tasks/legacy", "--agent", "nop"],
      ["runs", "list"],
      ["runs", "show", "rollout-2", "--follow"],
      ["runs", "resume", "rollout-2"],
      ["runs", "cancel", "rollout-2"],
      ["runs", "clean", "--all"],
      ["init", "fresh"],
    ]) {
      const ended = await started(...args);
      expect([args.join(" "), ended.code, ended.stderr.includes("Error:")]).toEqual([args.join(" "), 0, false]);
      const events = ended.events();
      for (const event of events) expect(typeof event.type).toBe("string");
      expect(events.filter(({ type }) => type === "result")).toHaveLength(1);
      const result = ended.result();
      expect(Object.keys(result).slice(0, 7)).toEqual([
        ...["type", "command", "status", "exitCode", "counts", "cost", "outputs"],
      ]);
      expect(result).toMatchObject({ type: "result", status: "ok", exitCode: 0 });
      if (["check", "rollout"].includes(args[0] as string)) {
        expect(ended.stderr).toMatch(/warning: tasks\/legacy\/task\.toml/);
        for (const name of ["found", "loaded", "rejected"]) expect(typeof result.counts[name]).toBe("number");
        const progress = events.filter(({ type }) => type === "progress").at(-1);
        expect(progress).toMatchObject({ total: result.counts.found, done: result.counts.found, secondsLeft: 0 });
      }
    }
  });

  it("without a terminal: no control characters, progress with counts and an estimate on standard error", async () => {
    const ended = await check("tasks/mixed", ...plain);
    expect(`${ended.stdout}${ended.stderr}`).not.toContain("\u001b");
    expect(ended.stderr).toMatch(/^check [12]\/5 · .*about \d+ s left$/m);
    expect(ended.stderr).toMatch(/^check 5\/5 · accepted 3 · failed 1 · rejected 1$/m);
    expect(ended.stdout).toMatch(/^cost: trials 4 · tokens 0 · wall \d+ s$/m);
  });

  it("on a terminal: one line that is rewritten, and colours unless NO_COLOR says otherwise", async () => {
    const script = (prefix: string) =>
      desk.shell(`${prefix} script -qec "$R check tasks/mixed/good ${plain.join(" ")}" /dev/null`);
    const coloured = await script("");
    expect(coloured.stdout).toContain("\r\u001b[2Kcheck 1/1 · accepted 1");
    expect(coloured.stdout).toContain("\u001b[32maccepted");
    expect((await script("NO_COLOR=1")).stdout).not.toContain("\u001b");
  });
});
