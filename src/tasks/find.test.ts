import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findTasks, walkTasks } from "./find.ts";
import { demoTask, fill } from "./fixtures/folder.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "find-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const put = (at: string, files: Record<string, string> = {}) =>
  fill(join(root, at), { ...demoTask, "task.toml": `[metadata]\nat = "${at}"\n`, ...files });
async function look(...paths: string[]) {
  const { found, loaded, rejected } = await findTasks(paths.map((path) => join(root, path)));
  return {
    found,
    loaded: loaded.map((task) => relative(root, task.directory) || "."),
    rejected: rejected.map(({ path, error }) => [relative(root, path) || ".", error.code]),
    warnings: loaded.flatMap((task) => task.warnings.map((warning) => warning.message)),
  };
}

test("a checkout whose root is a task, with more below, and what is no task", async () => {
  await put(".");
  await put("tasks/b name with blanks");
  await put("tasks/a");
  await put("deep/er/still/c");
  await put("environment/examples/data");
  await put("tests/fixtures/data");
  await put("node_modules/pkg/task");
  await put("__MACOSX/tasks/a");
  await put(".git/task");
  await put("tasks/.d.partial");
  expect(await look(".")).toEqual({
    found: 4,
    loaded: [".", "deep/er/still/c", "tasks/a", "tasks/b name with blanks"],
    rejected: [],
    warnings: [],
  });
});

test("found = loaded + rejected, each with its reason", async () => {
  await put("good");
  await put("syntax", { "task.toml": "a = [" });
  await fill(join(root, "no-toml"), { "instruction.md": "x", "environment/Dockerfile": "FROM scratch" });
  await fill(join(root, "tb1"), { "task.yaml": "instruction: |-\n  do it\n", "run-tests.sh": "" });
  await fill(join(root, "tb1-empty"), { "task.yaml": "", "run-tests.sh": "" });
  await fill(join(root, "foreign"), { "task.yaml": "apiVersion: v1\n", "README.md": "" });
  await fill(join(root, "readme-only"), { "instruction.md": "x" });
  const { found, loaded, rejected } = await look(".");
  expect({ found, loaded }).toEqual({ found: 5, loaded: ["good"] });
  expect(rejected).toEqual([
    ["no-toml", "file_missing"],
    ["syntax", "toml_syntax"],
    ["tb1", "terminal_bench_1"],
    ["tb1-empty", "file_missing"],
  ]);
});

test("task.toml wins over task.yaml beside it, and says so", async () => {
  await put("both", { "task.yaml": "instruction: x\n", "run-tests.sh": "" });
  expect(await look(".")).toMatchObject({ loaded: ["both"], warnings: ["stands beside task.toml and is ignored"] });
});

test("a path may be a task, its task.toml, a tree; the same one twice counts once", async () => {
  await put("t/a");
  await put("t/b");
  expect(await look("t/a", "t/b/task.toml", "t", "t/a")).toMatchObject({ found: 2, loaded: ["t/a", "t/b"] });
});

test("paths that are not there and files are rejected by name", async () => {
  await writeFile(join(root, "file.txt"), "");
  expect((await look("none", "file.txt")).rejected).toEqual([
    ["none", "path_not_found"],
    ["file.txt", "not_a_folder"],
  ]);
});

test("mirrors and namesakes are loaded, with a warning", async () => {
  await fill(join(root, "a"), demoTask);
  await fill(join(root, "mirror/a"), demoTask);
  await fill(join(root, "other"), { ...demoTask, "instruction.md": "Something else.\n" });
  const { loaded, warnings } = await look(".");
  expect(loaded).toEqual(["a", "mirror/a", "other"]);
  expect(warnings).toEqual([`is a copy of ${join(root, "a")}`, `has the name demo/hello, as ${join(root, "a")} has`]);
});

test("links to folders are not followed: no cycles, nothing outside", async () => {
  await put("a");
  await symlink("..", join(root, "a/loop"));
  await mkdir(join(root, "b"));
  await symlink("/usr", join(root, "b/out"));
  expect(await look(".")).toMatchObject({ found: 1, loaded: ["a"] });
});

test("tasks come one at a time", async () => {
  for (const name of ["a", "b", "c"]) await put(name);
  for await (const item of walkTasks([root])) {
    expect("task" in item && item.path).toBe(join(root, "a"));
    break;
  }
});
