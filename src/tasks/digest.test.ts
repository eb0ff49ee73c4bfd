import { mkdtemp, rm } from "node:fs/promises";
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
