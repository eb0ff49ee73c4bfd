// Every hostile input of the table, through the real readers: a precise error, or a reading that says what it repaired.
import { describe, expect, test } from "vitest";
import { taskFolders } from "./cases/task-folders.ts";
import { hold, outcomeOf } from "./suite.ts";

const kinds = [taskFolders];

describe.each(kinds)("$kind", (kind) => {
  test("the base is sound", async () => {
    expect(await outcomeOf(kind, { name: "nothing", apply: (folder) => folder })).toEqual({ warnings: [] });
  });

  test.each(kind.cases.map((one) => [one.operator.name, one] as const))("%s", (_, one) => hold(kind, one));
});

test("the operators are told apart, and there are enough", () => {
  const names = kinds.flatMap(({ kind, cases }) => cases.map(({ operator }) => `${kind} · ${operator.name}`));
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  expect(names.length).toBeGreaterThanOrEqual(80);
});
