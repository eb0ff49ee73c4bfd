// What the command line says of itself and of what it is given: help, usage, configuration, init.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Desk } from "../support/command-line.ts";

let desk: Desk;
beforeAll(() => {
  desk = new Desk();
  desk.task("one");
});
afterAll(() => desk?.close());

describe("help", () => {
  it("names every command, at once and without loading their code", async () => {
    const started = performance.now();
    const help = await desk.start(["--help"], { env: { NODE_DEBUG: "esm" } }).ended;
    expect(performance.now() - started).toBeLessThan(5000);
    expect(help.code).toBe(0);
    for (const name of ["init", "forge", "check", "rollout", "runs", "demo"]) expect(help.stdout).toContain(name);
    expect(help.stderr).toContain("commander");
    expect(help.stderr).not.toMatch(/zod|better-sqlite3|smol-toml/);
  });

  it("tells each option", async () => {
    const { stdout } = await desk.run("forge", "--help");
    for (const option of ["--json", "--seed", "--limit", "--concurrency", "--count", "--family", "--out"])
      expect(stdout).toContain(option);
    expect((await desk.run("--version")).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe("wrong usage is exit 2 with what is wrong and what to do", () => {
  it.each([
    [["frog"], /unknown command 'frog'[\s\S]*forge/],
    [["forge", "--cuont", "3"], /unknown option '--cuont'[\s\S]*--count[\s\S]*--help/],
    [["forge", "--family", "knitting"], /"knitting"[\s\S]*log-forensics/],
    [["forge", "--difficulty", "6"], /--difficulty must be 1 to 5, not "6"/],
    [["forge", "--count", "many"], /--count must be a whole number of at least 1, not "many"/],
    [["forge", "--backend", "vm"], /--backend[\s\S]*'vm'[\s\S]*box, docker/],
    [["check"], /missing required argument 'path'/],
    [["check", "tasks", "--gate", "smell"], /"smell"[\s\S]*oracle_max/],
    [["check", "tasks", "--format", "pdf"], /text, markdown, json, junit, sarif, not "pdf"/],
    [["check", "tasks", "--concurrency", "0"], /--concurrency must be/],
    [["rollout", "tasks", "--agent", "genius"], /"genius"[\s\S]*oracle, nop, model:MODEL, script:FILE or replay:FILE/],
    [["rollout", "tasks", "--agent", "script:none.sh"], /none\.sh/],
    [["rollout", "tasks", "--agent", "replay:tasks/one/task.toml"], /task\.toml[\s\S]*trajectory/],
    [["runs", "list"], /no state here[\s\S]*project/],
    [["forge", "--set", "nonsense"], /--set nonsense is not of the form a\.b=c/],
    [["forge", "--set", "sandbox.engine=x"], /--set sandbox\.engine=x[\s\S]*no such field/],
    [["forge", "--set", "queues.trial=no"], /--set queues\.trial=no[\s\S]*number/],
    [["forge", "--set", "queues.trial.a=1", "--set", "queues.trial.a.b=1"], /no table/],
  ])("%j", async (args, message) => {
    const [{ code, stderr, stdout }, json] = await Promise.all([desk.run(...args), desk.run(...args, "--json")]);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n {4}at /);
    expect(code).toBe(2);
    expect(json.code).toBe(2);
    expect(json.result()).toMatchObject({ type: "result", status: "usage", exitCode: 2, outputs: [] });
    expect(stdout).not.toContain("error:");
    expect(existsSync(desk.path(".routesetter"))).toBe(false);
  });
});

describe("configuration", () => {
  const withFile = async (text: string) => {
    desk.write({ "odd/routesetter.toml": text });
    const ended = await desk.run("check", "tasks", "--gate", "manifest", "--project", "odd");
    expect(ended.code).toBe(2);
    return ended.stderr;
  };

  it("is refused with file, line, column and field", async () => {
    expect(await withFile('[sandbox]\nbackend = "cloud"\n')).toMatch(
      /odd\/routesetter\.toml:2:1 sandbox\.backend: .*box/,
    );
    expect(await withFile("# a\n[images]\nbuilder = 'host'\n\n[images.substitute]\n")).toMatch(
      /odd\/routesetter\.toml:5:1 images\.substitute: there is no such field → see docs\/configuration\.md/,
    );
    expect(await withFile("[sandbox\n")).toMatch(/odd\/routesetter\.toml:1:\d+: /);
    expect(await withFile("[queues]\ntrial = 0\n")).toMatch(/routesetter\.toml:2:1 queues\.trial/);
  });

  it("can be overridden, with quoted keys and TOML values", async () => {
    desk.write({ "odd/routesetter.toml": '[sandbox]\nbackend = "cloud"\n' });
    const ended = await desk.run(
      ...["check", "tasks", "--gate", "manifest", "--project", "odd", "--set", "sandbox.backend=box"],
      ...["--set", 'images.substitutes."python:3.11*"=debian:bookworm', "--set", 'tasks.variables=["A"]'],
      ...["--set", "queues.trial=1"],
    );
    expect(ended.stderr).not.toContain("error");
    expect(ended.code).toBe(0);
  });
});

describe("init", () => {
  it("makes a project once, and changes nothing the second time", async () => {
    const first = await desk.run("init", "made", "--json");
    expect(first.result()).toMatchObject({ command: "init", status: "ok", outputs: ["made/routesetter.toml"] });
    const text = readFileSync(desk.path("made", "routesetter.toml"), "utf8");
    const second = await desk.run("init", "made");
    expect(second.code).toBe(2);
    expect(second.stderr).toMatch(/made\/routesetter\.toml: is there already → /);
    expect(readFileSync(desk.path("made", "routesetter.toml"), "utf8")).toBe(text);
    const list = await desk.run("runs", "list", "--project", "made");
    expect([list.code, list.stdout]).toEqual([0, "no run yet\nruns 0\n"]);
  });

  it("works in a directory with blanks and quotes in its name", async () => {
    const odd = join(desk.directory, 'it\'s a "place"');
    mkdirSync(odd);
    const { code, stdout } = await desk.start(["init"], { cwd: odd }).ended;
    expect(code).toBe(0);
    expect(stdout).toContain("next: routesetter forge --count 10\n");
    expect(existsSync(join(odd, "routesetter.toml"))).toBe(true);
  });
});
