import { expect, test } from "vitest";
import { criticalValue, normalQuantile } from "./normal-quantile.ts";

// Percentage points as SciPy 1.18.1 gives them (scipy.stats.norm.ppf).
test.each([
  [0.9, 1.6448536269514722],
  [0.95, 1.959963984540054],
  [0.99, 2.5758293035489004],
  [0.999, 3.2905267314918945],
])("two-sided %d", (confidence, z) => {
  expect(criticalValue(confidence)).toBeCloseTo(z, 12);
});

test("far tails and symmetry", () => {
  expect(normalQuantile(1e-9)).toBeCloseTo(-5.9978070150076874, 11);
  expect(normalQuantile(1e-12)).toBeCloseTo(-7.034483825301132, 10);
  expect(normalQuantile(0.5)).toBeCloseTo(0, 15);
  for (const p of [1e-6, 0.01, 0.2, 0.4]) expect(normalQuantile(p) + normalQuantile(1 - p)).toBeCloseTo(0, 9);
  expect(() => normalQuantile(0)).toThrow(RangeError);
  expect(() => criticalValue(95)).toThrow(RangeError);
});
