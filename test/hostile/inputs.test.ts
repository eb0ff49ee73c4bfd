// Every hostile input of the tables, through the real readers: a precise error, or a reading that says what it repaired.
import { describe, expect, test } from "vitest";
import { atifDocuments, scripts, trajectories } from "./cases/agent-files.ts";
import { buildContexts } from "./cases/build-contexts.ts";
import { configurations, overrides } from "./cases/configurations.ts";
import { cassettes, modelScripts } from "./cases/model-files.ts";
import { requirementFiles } from "./cases/requirements.ts";
import { skillFolders } from "./cases/skill-folders.ts";
import { storesRead, storesWritten } from "./cases/state-stores.ts";
import { taskFolders } from "./cases/task-folders.ts";
import { reports, rewards } from "./cases/verifier-output.ts";
import { hold, outcomeOf } from "./suite.ts";

const kinds = [
  ...[taskFolders, requirementFiles, configurations, overrides, scripts, trajectories, atifDocuments],
  ...[rewards, reports, buildContexts, storesRead, storesWritten, skillFolders, cassettes, modelScripts],
];

describe.each(kinds)("$kind", (kind) => {
  test("the base is sound", async () => {
    expect(await outcomeOf(kind, { name: "nothing", apply: (folder) => folder })).toEqual({ warnings: [] });
  });

  test.each(kind.cases.map((one) => [one.operator.name, one] as const))("%s", (_, one) => hold(kind, one));
});

test("the operators are told apart, and there are enough", () => {
  const names = kinds.flatMap(({ kind, cases }) => cases.map(({ operator }) => `${kind} · ${operator.name}`));
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  expect(names.length).toBeGreaterThanOrEqual(200);
});
