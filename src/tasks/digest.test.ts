import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { taskDigest } from "./digest.ts";
import { demoTask, fill } from "./fixtures/folder.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "digest-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

// The published vector: Harbor's five-file example task.
const vector = "sha256:03f00e1c156ba680a94f5a41a013ab26b47cd8742984a7763c7205d8e2bdbf87";

test("the published vector", async () => {
  await fill(directory, demoTask);
  expect(await taskDigest(directory)).toBe(vector);
});

test("what Harbor does not count changes nothing", async () => {
  await fill(directory, demoTask);
  await fill(directory, {
    "requirements.json": "{}",
    LICENSE: "x",
    "environment/__pycache__/a.pyc": "x",
    "tests/.DS_Store": "x",
    "tests/.harborignore": "scratch/\n",
    "tests/scratch/notes.txt": "x",
    "solution/solve.sh~": "x",
    ".git/config": "x",
  });
  expect(await taskDigest(directory)).toBe(vector);
});

test("what it counts changes it", async () => {
  for (const file of ["README.md", "trajectory.json", "environment/a", "tests/a", "solution/a", "steps/one/a"]) {
    await rm(directory, { recursive: true, force: true });
    await fill(directory, { ...demoTask, [file]: "x" });
    expect(await taskDigest(directory), file).not.toBe(vector);
  }
});

test("a .gitignore replaces the default list", async () => {
  await fill(directory, { ...demoTask, ".gitignore": "*.log\n", "environment/a.log": "x" });
  expect(await taskDigest(directory)).toBe(vector);
  await fill(directory, { "environment/a.pyc": "x" });
  expect(await taskDigest(directory)).not.toBe(vector);
});

test("names, links and ignore files as Harbor 0.25 counts them", async () => {
  await fill(directory, {
    "task.toml": "a",
    "instruction.md": "b",
    "trajectory.json": "{}",
    "README.md": "r",
    LICENSE: "1",
    "requirements.json": "1",
    "environment/name with blanks": "x",
    "environment/🧗": "🧗",
    "environment/\uffee": "y",
    "environment/Zz": "z",
    "environment/aa": "q",
    "environment/data/one": "1",
    "environment/__pycache__/m.pyc": "p",
    "environment/a.swp": "s",
    "environment/.hidden": "k",
    "environment/x~": "t",
    "environment/.harborignore": "*.tmp\n",
    "environment/e.tmp": "1",
    "tests/.harborignore": "scratch/\n*.tmp\n!keep.tmp\n",
    "tests/scratch/a": "1",
    "tests/a.tmp": "1",
    "tests/keep.tmp": "1",
    "tests/test.sh": "1",
    "tests/lib/.harborignore": "!a.tmp\nsub/b\n",
    "tests/lib/a.tmp": "1",
    "tests/lib/b.tmp": "1",
    "tests/lib/sub/b": "1",
    "tests/lib/sub/c": "1",
    "steps/one/tests/.harborignore": "*.x\n",
    "steps/one/tests/a.x": "1",
    "steps/one/tests/a.y": "1",
    "steps/one/instruction.md": "1",
  });
  await symlink("aa", join(directory, "environment/link"));
  await symlink("data", join(directory, "environment/linkdir"));
  await symlink("nothing", join(directory, "environment/dangling"));
  // Recorded from the official package for this very folder.
  expect(await taskDigest(directory)).toBe("sha256:bb53fdd49a286007ba01b40ba2db63d0922d6d78df180978b8000d3e6013aa2c");
});
