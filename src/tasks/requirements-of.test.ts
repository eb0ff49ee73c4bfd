import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { demoTask, fill } from "./fixtures/folder.ts";
import { readTask } from "./read.ts";
import { requirementsOf } from "./requirements-of.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "needs-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function unsupported(files: Record<string, string>): Promise<string[]> {
  await fill(directory, { ...demoTask, ...files });
  const needs = await requirementsOf(await readTask(directory));
  for (const need of needs) expect(need.reason === "", need.need).toBe(need.supported);
  return needs.filter((need) => !need.supported).map((need) => need.need);
}

test("an ordinary task needs nothing that isn't supported", async () => {
  expect(await unsupported({})).toEqual([]);
  expect(await unsupported({ "tests/Dockerfile": "FROM scratch\n" })).toEqual([]);
  expect(await unsupported({ "task.toml": '[environment]\nnetwork_mode = "no-network"\nworkdir = "/app"\n' })).toEqual(
    [],
  );
});

test.each([
  ["windows", { "task.toml": '[environment]\nos = "windows"\n', "tests/test.bat": "" }],
  ["compose", { "environment/docker-compose.yaml": "services: {}\n" }],
  ["gpu", { "task.toml": "[environment]\ngpus = 1\n" }],
  ["tpu", { "task.toml": '[environment]\ntpu = { type = "v6e", topology = "2x4" }\n' }],
  ["mcp_servers", { "task.toml": '[[environment.mcp_servers]]\nname = "a"\nurl = "http://a"\n' }],
  ["prior_context", { "trajectory.json": "{}" }],
  [
    "separate_verifier_image",
    { "tests/Dockerfile": "FROM scratch\n", "task.toml": '[verifier]\nenvironment_mode = "separate"\n' },
  ],
  ["separate_verifier_image", { "task.toml": '[verifier.environment]\ndocker_image = "v"\n' }],
  ["sidecar", { "task.toml": '[[artifacts]]\nsource = "/d"\nservice = "db"\n' }],
  ["collect", { "task.toml": '[[verifier.collect]]\ncommand = "dump"\n' }],
] as const)("%s is reported with its reason", async (need, files) => {
  expect(await unsupported(files)).toEqual([need]);
});

test("no image at all", async () => {
  await fill(directory, { ...demoTask, "task.toml": "", "environment/data": "x" });
  await rm(join(directory, "environment/Dockerfile"));
  const needs = await requirementsOf(await readTask(directory));
  expect(needs.find((need) => need.need === "image")).toMatchObject({ supported: false });
});
