import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TaskFormatError } from "../contract/index.ts";
import { demoTask, fill } from "./fixtures/folder.ts";
import { readTask } from "./read.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "read-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function refused(): Promise<TaskFormatError> {
  const error = await readTask(directory).then(
    () => new Error("was accepted"),
    (cause: unknown) => cause,
  );
  if (!TaskFormatError.isInstance(error)) throw error;
  return error;
}
const without = (...names: string[]) =>
  Object.fromEntries(Object.entries(demoTask).filter(([name]) => !names.includes(name)));

test("a task folder is read whole", async () => {
  await fill(directory, { ...demoTask, "solution/partial_b.sh": "true\n", "solution/partial_a.sh": "true\n" });
  const task = await readTask(directory);
  expect(task).toMatchObject({
    directory,
    id: "demo/hello",
    instruction: demoTask["instruction.md"],
    solution: { name: "solve", path: "solution/solve.sh" },
    partials: [
      { name: "partial_a", path: "solution/partial_a.sh" },
      { name: "partial_b", path: "solution/partial_b.sh" },
    ],
    requirements: null,
    warnings: [],
  });
  expect(task.configuration.environment).toMatchObject({ workdir: "/app", cpus: 1, build_timeout_sec: 600, env: {} });
});

test("without [task] and solution: the folder's name, and none", async () => {
  await fill(directory, { ...without("solution/solve.sh"), "task.toml": "" });
  expect(await readTask(directory)).toMatchObject({ id: basename(directory), solution: null, partials: [] });
});

describe("what is missing is named", () => {
  test.each(["task.toml", "instruction.md", "tests/test.sh"])("%s", async (name) => {
    await fill(directory, without(name));
    const error = await refused();
    expect(error).toMatchObject({ code: "file_missing", where: { file: join(directory, name) } });
    expect(error.remedy).not.toBe("");
  });

  test("environment/, unless there is a prebuilt image", async () => {
    await fill(directory, without("environment/Dockerfile"));
    expect((await readTask(directory)).configuration.environment.docker_image).toBe("debian:bookworm");
    await writeFile(join(directory, "task.toml"), "");
    expect(await refused()).toMatchObject({
      code: "file_missing",
      where: { file: `${join(directory, "environment")}/` },
    });
  });

  test("no such folder, a file for a folder", async () => {
    await expect(readTask(join(directory, "none"))).rejects.toMatchObject({ code: "not_a_folder" });
    await writeFile(join(directory, "file"), "");
    await expect(readTask(join(directory, "file"))).rejects.toMatchObject({ code: "not_a_folder" });
  });
});

test("a separate verifier with an image of its own brings its tests", async () => {
  await fill(directory, { ...without("tests/test.sh"), "task.toml": '[verifier]\nenvironment_mode = "separate"\n' });
  expect(await refused()).toMatchObject({ code: "file_missing", where: { file: join(directory, "tests/test.sh") } });
  await fill(directory, { "task.toml": '[verifier.environment]\ndocker_image = "v"\n' });
  expect((await readTask(directory)).configuration.verifier.environment?.docker_image).toBe("v");
  await fill(directory, {
    "task.toml": '[verifier]\nenvironment_mode = "separate"\n',
    "tests/Dockerfile": "FROM scratch\n",
  });
  expect((await readTask(directory)).warnings).toEqual([]);
});

test("Windows tasks have batch files", async () => {
  await fill(directory, { ...demoTask, "task.toml": '[environment]\nos = "windows"\n' });
  expect(await refused()).toMatchObject({ where: { file: join(directory, "tests/test.bat") } });
  await fill(directory, { "tests/test.bat": "", "solution/solve.bat": "" });
  expect((await readTask(directory)).solution).toEqual({ name: "solve", path: "solution/solve.bat" });
});

test("steps have instructions and tests of their own, the root's tests as the fallback", async () => {
  await fill(directory, {
    "task.toml": '[[steps]]\nname = "one"\n[[steps]]\nname = "two"\n',
    "environment/Dockerfile": "FROM scratch\n",
    "steps/one/instruction.md": "First.\n",
    "steps/two/instruction.md": "# canary 123\n\nSecond.\n",
    "steps/one/tests/test.sh": "",
  });
  expect(await refused()).toMatchObject({ where: { file: join(directory, "steps/two/tests/test.sh") } });
  await fill(directory, { "tests/test.sh": "" });
  expect((await readTask(directory)).instruction).toBe("First.\n\n\nSecond.\n");
  await rm(join(directory, "steps/two/instruction.md"));
  expect(await refused()).toMatchObject({ where: { file: join(directory, "steps/two/instruction.md") } });
});

test("canary lines at the head of the instruction are not shown", async () => {
  await fill(directory, {
    ...demoTask,
    "instruction.md": "<!-- Canary GUID 1 -->\n# canary 2\n\n# Title\nno canary here\n",
  });
  expect((await readTask(directory)).instruction).toBe("# Title\nno canary here\n");
});

describe("links and odd files", () => {
  test.each([
    ["solution/leak", "/etc/hostname"],
    ["environment/up", "../.."],
    ["tests/gone", "/nonexistent/file"],
    ["environment/gone", "../../nonexistent"],
  ])("%s -> %s leads out", async (path, target) => {
    await fill(directory, demoTask);
    await symlink(target, join(directory, path));
    expect(await refused()).toMatchObject({ code: "link_leads_out", where: { file: join(directory, path) } });
  });

  test("task.toml itself may not be a link out", async () => {
    await fill(directory, without("task.toml"));
    await symlink("/etc/hostname", join(directory, "task.toml"));
    expect(await refused()).toMatchObject({ code: "link_leads_out" });
  });

  test("a whole folder may not be a link out", async () => {
    await fill(directory, without("tests/test.sh"));
    await symlink("/usr", join(directory, "tests"));
    expect(await refused()).toMatchObject({ code: "link_leads_out" });
  });

  test("links inside are kept, a dangling one is a warning", async () => {
    await fill(directory, demoTask);
    await symlink("Dockerfile", join(directory, "environment/link"));
    await symlink("nothing", join(directory, "environment/dangling"));
    expect((await readTask(directory)).warnings).toEqual([
      { message: "is a link to nothing", file: "environment/dangling" },
    ]);
  });

  test("a FIFO is refused, not waited for", async () => {
    await fill(directory, without("instruction.md"));
    execFileSync("mkfifo", [join(directory, "instruction.md")]);
    expect(await refused()).toMatchObject({ code: "special_file", where: { file: join(directory, "instruction.md") } });
  });

  test("what does not belong to the task is not looked at", async () => {
    await fill(directory, demoTask);
    await mkdir(join(directory, "node_modules"));
    await symlink("/etc", join(directory, "node_modules/out"));
    expect((await readTask(directory)).warnings).toEqual([]);
  });
});

test("CRLF and byte order marks are warnings, with their line", async () => {
  await fill(directory, {
    ...demoTask,
    "instruction.md": "\ufeffSay hello.\n",
    "tests/test.sh": "#!/bin/bash\necho 1 > /logs/verifier/reward.txt\r\n",
    "solution/solve.sh": "\ufeff#!/bin/bash\n",
    "environment/Dockerfile": "FROM debian:bookworm\r\n",
  });
  const task = await readTask(directory);
  expect(task.instruction).toBe("Say hello.\n");
  expect(task.warnings.map(({ file, line }) => [file, line])).toEqual([
    ["instruction.md", 1],
    ["environment/Dockerfile", 1],
    ["solution/solve.sh", 1],
    ["tests/test.sh", 2],
  ]);
});

test("text that is not UTF-8 is refused with its line; an instruction that says nothing is a warning", async () => {
  await fill(directory, { ...demoTask, "instruction.md": Buffer.from("one\ntw\xff\n", "latin1") });
  expect(await refused()).toMatchObject({ code: "not_utf8", where: { line: 2 } });
  await fill(directory, { "instruction.md": "  \n" });
  expect((await readTask(directory)).warnings).toEqual([{ message: "says nothing", file: "instruction.md" }]);
});

test("a requirements.json of more than a million bytes is read", async () => {
  const requirement = (index: number) => ({
    id: `R${index}`,
    statement: "x".repeat(2000),
    kind: "positive",
    artefact: "/app/out.json",
    format: "JSON",
    sources: [],
    derivation: "",
    check: "equal",
    shape: "json-object",
  });
  const text = JSON.stringify({
    version: 1,
    artefacts: ["/app"],
    requirements: Array.from({ length: 600 }, (_, index) => requirement(index + 1)),
  });
  expect(text.length).toBeGreaterThan(1e6);
  await fill(directory, { ...demoTask, "requirements.json": text });
  expect((await readTask(directory)).requirements?.requirements).toHaveLength(600);
});
