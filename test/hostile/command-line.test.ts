// Hostile inputs through the built command line: the good ones load, the counts add up, every line is an event, and
// nothing ends in a stack trace.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removeTree } from "../../src/sandbox/index.ts";
import { Desk, type Ended } from "../support/command-line.ts";
import { buildContexts, sharedImages } from "./cases/build-contexts.ts";
import { configurations } from "./cases/configurations.ts";
import { requirementFiles } from "./cases/requirements.ts";
import { storesRead } from "./cases/state-stores.ts";
import { soundTask, taskFolders } from "./cases/task-folders.ts";
import { edit, folderOf, type Operator, put, writeFolder } from "./operators.ts";
import { controlCharacters, type HostileCase, type HostileKind } from "./suite.ts";

let desk: Desk;
beforeAll(() => {
  desk = new Desk();
});
afterAll(async () => {
  await desk?.close();
  await removeTree(sharedImages);
});
const env = { DOCKER_HOST: "unix:///nowhere/docker.sock", NO_COLOR: "1" };
const staticGates = ["manifest", "layout", "dockerfile_lint", "test_script_lint", "dependency_pinning"];
const gates = staticGates.flatMap((gate) => ["--gate", gate]);
const deadlineMilliseconds = 50_000;

/** A command that is still at it at the deadline is ended, and its exit code is none. */
async function run(...args: string[]): Promise<Ended> {
  const started = desk.start(args, { env });
  const timer = setTimeout(() => started.process.kill("SIGKILL"), deadlineMilliseconds);
  try {
    return await started.ended;
  } finally {
    clearTimeout(timer);
  }
}

function noCrash(ended: Ended): void {
  expect(ended.stderr).not.toMatch(/\n\s+at .*\(?(?:file:|node:)/);
  expect(ended.stderr).not.toMatch(controlCharacters);
  expect([0, 1, 2, 3]).toContain(ended.code);
}

/** Writes a batch of tasks, each changed by one operator, and two sound ones. */
function batch(name: string, cases: readonly HostileCase[], good = 2): { folder: string; rejected: number } {
  const folder = desk.path(name);
  const named = (label: string) =>
    edit("its own name", "task.toml", "hostile/base", `hostile/${label}`).apply(soundTask);
  for (let index = 0; index < good; index++) writeFolder(join(folder, `good-${index}`), named(`good-${index}`));
  for (const [index, { operator }] of cases.entries())
    writeFolder(join(folder, `bad-${String(index).padStart(3, "0")}`), operator.apply(soundTask));
  return {
    folder: name,
    rejected: cases.filter(({ expected }) => typeof expected === "object" && "code" in expected).length,
  };
}

describe("check", () => {
  test("a batch of every task folder and requirements file of the tables: found, loaded and rejected are right", async () => {
    const cases = [...taskFolders.cases, ...requirementFiles.cases];
    const { folder, rejected } = batch("all", cases);
    const ended = await run("check", folder, ...gates, "--json");
    noCrash(ended);
    const { counts } = ended.result();
    expect(counts).toMatchObject({ found: cases.length + 2, loaded: cases.length + 2 - rejected, rejected });
    expect(counts.graded + counts.notGraded).toBe(counts.loaded);
    expect(counts.accepted + counts.failed).toBe(counts.graded);
    const events = ended.events();
    const refused = events.filter(({ type }) => type === "task-rejected");
    expect(refused).toHaveLength(rejected);
    for (const { path, message } of refused) {
      expect(path).toMatch(/bad-\d{3}$/);
      expect(message).toMatch(/ → ./);
    }
    const loaded = events.filter(({ type }) => type === "report").map(({ path }) => path);
    expect(loaded).toEqual(expect.arrayContaining([`${folder}/good-0`, `${folder}/good-1`]));
    expect(loaded).toHaveLength(counts.loaded);
  });

  test("broken Dockerfiles and scripts are findings, not faults", async () => {
    const nested = (open: string, close: string) => `${open.repeat(10_000)}true${close.repeat(10_000)}`;
    const scripts: Operator[] = [
      put("groups in groups", "tests/test.sh", nested("{ ", "; }")),
      put("subshells in subshells", "tests/test.sh", nested("( ", " )")),
      put("conditions in conditions", "tests/test.sh", nested("if ", "; then :; fi")),
      put("quotes in expansions", "tests/test.sh", `echo ${nested('"$(', ')"')}`),
      put("arrays", "tests/test.sh", "a=(1 2)\n".repeat(5_000)),
      put("one long line", "tests/test.sh", `echo ${"a ".repeat(100_000)}`),
      put("many pipes", "tests/test.sh", `true ${"| true ".repeat(10_000)}`),
      put("open here-documents", "tests/test.sh", "cat <<A <<B <<C\n".repeat(5000)),
      put("bytes", "tests/test.sh", Buffer.from(Array.from({ length: 4096 }, (_, index) => index % 256))),
      put("FIFO nobody asked for", "notes.sh", { fifo: true }),
      put("link out nobody asked for", "notes.txt", { link: "/dev/zero" }),
    ];
    const dockerfiles = buildContexts.cases.flatMap(({ operator }): Operator[] => {
      const text = operator.apply(buildContexts.base).get("context/Dockerfile");
      return typeof text === "string" ? [put(operator.name, "environment/Dockerfile", text)] : [];
    });
    const cases = [...scripts, ...dockerfiles].map((operator): HostileCase => ({ operator, expected: "read" }));
    const { folder } = batch("scripts", cases);
    const ended = await run("check", folder, ...gates, "--json");
    noCrash(ended);
    expect(ended.result().counts).toMatchObject({ found: cases.length + 2, loaded: cases.length + 2, rejected: 0 });
  });

  test.each(["text", "markdown", "junit", "sarif", "json"])("hostile names, as %s", async (format) => {
    const names = [
      "\u001b[2Jclear",
      "\u202egpj",
      "🧗 climb",
      "a\nb",
      "$(touch pwned)",
      "-rf",
      "|pipe|`tick`",
      "n".repeat(200),
    ];
    for (const name of names) writeFolder(desk.path("names", name), soundTask);
    const ended = await run("check", "names", "--gate", "manifest", "--format", format);
    noCrash(ended);
    expect(ended.stdout).not.toMatch(controlCharacters);
    expect(`${ended.stdout}${ended.stderr}`).toContain(`(${names.length} found, ${names.length} loaded, 0 rejected)`);
  });
});

describe("rollout", () => {
  test("rejects what it can't read and counts it, and plays the rest", async () => {
    const { folder, rejected } = batch("rollout", taskFolders.cases.slice(0, 12), 1);
    const ended = await run("rollout", folder, "--agent", "nop", "--json");
    noCrash(ended);
    const { counts } = ended.result();
    expect(counts).toMatchObject({ found: 13, rejected, loaded: 13 - rejected, attempted: 13 - rejected });
  });

  test("agents' files that can't be read end it before anything runs", async () => {
    writeFolder(desk.path("one"), soundTask);
    writeFileSync(desk.path("bad.jsonl"), '{"name": 3}\n');
    for (const agent of ["script:bad.jsonl", "replay:one", "\u001b[2J"]) {
      const ended = await run("rollout", "one", "--agent", agent, "--json");
      noCrash(ended);
      expect([agent, ended.code]).toEqual([agent, 2]);
    }
  });
});

async function throughProject(kind: HostileKind, { operator, expected }: HostileCase, at: string, ...args: string[]) {
  const project = desk.path(`project-${count++}`);
  mkdirSync(project, { recursive: true });
  writeFolder(join(project, at), operator.apply(kind.base));
  const ended = await run(...args, "--project", project, "--json");
  noCrash(ended);
  expect(ended.events().filter(({ type }) => type === "result")).toHaveLength(1);
  if (typeof expected === "object" && "code" in expected) expect(ended.result().code).toBe(expected.code);
  else expect(ended.code).toBe(0);
}
let count = 0;
const every = (step: number) => (_: unknown, index: number) => index % step === 0;

describe("runs", () => {
  test.each(storesRead.cases.filter(every(6)).map((one) => [one.operator.name, one] as const))(
    "list over state: %s",
    async (_, one) => {
      const isSeen = !(
        typeof one.expected === "object" &&
        "code" in one.expected &&
        /blob|event/.test(one.operator.name)
      );
      await throughProject(storesRead, isSeen ? one : { ...one, expected: "read" }, ".routesetter", "runs", "list");
    },
  );
  test.each(configurations.cases.filter(every(9)).map((one) => [one.operator.name, one] as const))(
    "list under a configuration: %s",
    async (_, one) => {
      if (one.expected === "read") return;
      await throughProject(configurations, one, ".", "runs", "list");
    },
  );
  test("show and cancel of runs that are none", async () => {
    for (const id of ["\u001b[2J", "' OR 1=1 --"]) {
      for (const verb of ["show", "cancel"]) noCrash(await run("runs", verb, "--json", "--", id));
    }
  });
});

describe("forge", () => {
  test.each([
    ["--count", "1e9999"],
    ["--count", "-1"],
    ["--seed", "NaN"],
    ["--difficulty", "\u001b[2J"],
    ["--family", "__proto__"],
  ])("%s %j is refused", async (option, value) => {
    const ended = await run("forge", option, value, "--json");
    noCrash(ended);
    expect(ended.code).toBe(2);
  });

  test("a place that is a file is refused", async () => {
    writeFolder(desk.directory, folderOf({ "taken/file": "x" }));
    const ended = await run("forge", "--count", "1", "--out", join(desk.directory, "taken/file"), "--json");
    noCrash(ended);
    expect(ended.code).not.toBe(0);
  });
});
