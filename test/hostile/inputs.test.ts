// Every hostile input of the tables, through the real readers: a precise error, or a reading that says what it repaired.
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { removeTree } from "../../src/sandbox/index.ts";
import { openStore } from "../../src/store/index.ts";
import { atifDocuments, scripts, trajectories } from "./cases/agent-files.ts";
import { buildContexts, sharedImages } from "./cases/build-contexts.ts";
import { configurations, overrides } from "./cases/configurations.ts";
import { cassettes, modelScripts } from "./cases/model-files.ts";
import { requirementFiles } from "./cases/requirements.ts";
import { skillFolders } from "./cases/skill-folders.ts";
import { storesRead, storesWritten } from "./cases/state-stores.ts";
import { taskFolders } from "./cases/task-folders.ts";
import { reports, rewards } from "./cases/verifier-output.ts";
import { writeFolder } from "./operators.ts";
import { hold, outcomeOf } from "./suite.ts";

const kinds = [
  ...[taskFolders, requirementFiles, configurations, overrides, scripts, trajectories, atifDocuments],
  ...[rewards, reports, buildContexts, storesRead, storesWritten, skillFolders, cassettes, modelScripts],
];

afterAll(() => removeTree(sharedImages));

describe.each(kinds)("$kind", (kind) => {
  test("the base is sound", async () => {
    expect(await outcomeOf(kind, { name: "nothing", apply: (folder) => folder })).toEqual({ warnings: [] });
  });

  test.each(kind.cases.map((one) => [one.operator.name, one] as const))("%s", (_, one) => hold(kind, one));
});

test.each(
  storesWritten.cases.flatMap(({ operator, expected }) => {
    const bytes = operator.apply(storesWritten.base).get("state.db");
    const isSeenLater = /no JSON|table gone/.test(operator.name);
    const isRefused = typeof expected === "object" && "code" in expected && /^(?:store|schema)_/.test(expected.code);
    return isRefused && !isSeenLater && bytes instanceof Uint8Array ? [[operator.name, operator, bytes] as const] : [];
  }),
)("a writer that refuses the state leaves it byte for byte: %s", async (_, operator, bytes) => {
  const directory = mkdtempSync(join(tmpdir(), "hostile-kept-"));
  try {
    writeFolder(directory, operator.apply(storesWritten.base));
    const blobs = readdirSync(directory, { recursive: true }).filter((name) => /^blobs\/../.test(String(name)));
    await expect(openState(directory)).rejects.toBeDefined();
    expect(readFileSync(join(directory, "state.db")).equals(bytes)).toBe(true);
    expect(readdirSync(directory, { recursive: true })).toEqual(expect.arrayContaining(blobs));
  } finally {
    await removeTree(directory);
  }
});
const openState = async (directory: string) => openStore(directory, { command: "test" }).close();

test("the operators are told apart, and there are enough", () => {
  const names = kinds.flatMap(({ kind, cases }) => cases.map(({ operator }) => `${kind} · ${operator.name}`));
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  expect(names.length).toBeGreaterThanOrEqual(450);
});
