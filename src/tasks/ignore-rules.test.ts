import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { IgnoreRules } from "./ignore-rules.ts";

type Golden = { paths: string[]; cases: [string[], string[]][] };
// Recorded from Python's pathspec, which Harbor's digest reads .gitignore with.
const golden = JSON.parse(readFileSync(new URL("./fixtures/pathspec.json", import.meta.url), "utf8")) as Golden;

test("decides as pathspec does, pattern by pattern and in groups", () => {
  expect(golden.cases.length).toBeGreaterThan(100);
  for (const [patterns, ignored] of golden.cases) {
    const rules = new IgnoreRules(patterns);
    expect(
      golden.paths.filter((path) => rules.ignores(path)),
      patterns.join(" "),
    ).toEqual(ignored);
  }
});

test("tells what no pattern names from what a negation names", () => {
  const rules = new IgnoreRules(["*.log", "!keep.log"]);
  expect([rules.decide("a.log"), rules.decide("keep.log"), rules.decide("a.txt")]).toEqual([true, false, undefined]);
});
