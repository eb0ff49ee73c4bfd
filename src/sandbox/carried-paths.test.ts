import { expect, test } from "vitest";
import { turnsBack } from "./carried-paths.ts";

test.each([
  ["x/x/../../etc/passwd", true],
  ["../a/..", true],
  ["a/./../b", true],
  ["..a/../b", true],
  ["../../b", false],
  ["./.././b/c", false],
  ["a/..b/c..", false],
  ["", false],
])("a link to %j turns back: %s", (target, expected) => {
  expect(turnsBack(target)).toBe(expected);
});
