import fc from "fast-check";
import { expect, test } from "vitest";
import { betaPosterior } from "./beta-posterior.ts";

// Brown, Cai and DasGupta 2001, Statistical Science 16:101-133, table 5: 95 % Jeffreys intervals (the rows of the
// interior; those of 0 and 1 successes are modified there).
test.each([
  [2, 7, 0.065, 0.648],
  [2, 10, 0.044, 0.503],
  [3, 10, 0.093, 0.606],
  [4, 10, 0.153, 0.696],
  [5, 10, 0.224, 0.776],
] as const)("Jeffreys interval of %i of %i", (successes, trials, low, high) => {
  const interval = betaPosterior(successes, trials).credible();
  expect(interval.low).toBeCloseTo(low, 3);
  expect(interval.high).toBeCloseTo(high, 3);
});

test("a uniform prior and no trials: the uniform distribution", () => {
  const { mean, credible, quantile, below } = betaPosterior(0, 0, { alpha: 1, beta: 1 });
  expect(mean).toBe(0.5);
  expect(quantile(0.3)).toBeCloseTo(0.3, 12);
  expect(credible(0.9).low).toBeCloseTo(0.05, 12);
  expect(below(0.2)).toBeCloseTo(0.2, 12);
  expect(below(2)).toBe(1);
});

test("quantiles and probabilities are each other's inverse; the mean lies between the prior's and the data's", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2000 }),
      fc.nat(),
      fc.double({ min: 0.001, max: 0.999, noNaN: true }),
      (trials, draw, p) => {
        const successes = draw % (trials + 1);
        const posterior = betaPosterior(successes, trials);
        expect(posterior.below(posterior.quantile(p))).toBeCloseTo(p, 9);
        expect(posterior.mean).toBeGreaterThanOrEqual(Math.min(0.5, successes / trials));
        expect(posterior.mean).toBeLessThanOrEqual(Math.max(0.5, successes / trials));
      },
    ),
  );
});

test("what is no count and no prior is refused", () => {
  expect(() => betaPosterior(2, 1)).toThrow(RangeError);
  expect(() => betaPosterior(0, 1, { alpha: 0, beta: 1 })).toThrow(RangeError);
  expect(() => betaPosterior(0, 1).credible(1)).toThrow(RangeError);
});
