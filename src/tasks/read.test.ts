import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { demoTask, fill } from "./fixtures/folder.ts";
import { readTask } from "./read.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "read-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

test("a task folder is read whole", async () => {
  await fill(directory, { ...demoTask, "solution/partial_b.sh": "true\n", "solution/partial_a.sh": "true\n" });
  const task = await readTask(directory);
  expect(task).toMatchObject({
    directory,
    id: "demo/hello",
    instruction: demoTask["instruction.md"],
    solution: { name: "solve", path: "solution/solve.sh" },
    partials: [{ name: "partial_a" }, { name: "partial_b" }],
    requirements: null,
    warnings: [],
  });
  expect(task.configuration.environment).toMatchObject({ workdir: "/app", cpus: 1, build_timeout_sec: 600, env: {} });
});
