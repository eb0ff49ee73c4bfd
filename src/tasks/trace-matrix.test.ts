import { expect, test } from "vitest";
import { traceMatrix } from "./trace-matrix.ts";

const requirements = { requirements: ["R1", "R2", "R10"].map((id) => ({ id })) } as unknown as Parameters<
  typeof traceMatrix
>[0];

test("complete when every requirement has a check and every check a requirement", () => {
  expect(traceMatrix(requirements, ["check_R1", "R2: sorted", { name: "totals", requirement: "R10" }])).toEqual({
    rows: [
      { requirement: "R1", checks: ["check_R1"] },
      { requirement: "R2", checks: ["R2: sorted"] },
      { requirement: "R10", checks: ["totals"] },
    ],
    untested: [],
    unrequested: [],
  });
});

test("what has no partner is named", () => {
  const matrix = traceMatrix(requirements, ["R10", "test_everything", "R1_and_R99", { name: "R2", requirement: "R7" }]);
  expect(matrix.untested).toEqual(["R2"]);
  expect(matrix.unrequested).toEqual(["test_everything", "R1_and_R99", "R2"]);
});
