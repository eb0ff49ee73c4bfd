import fc from "fast-check";
import { expect, test } from "vitest";
import { betaPosterior } from "./beta-posterior.ts";

// Jeffreys intervals as SciPy 1.18.1 gives them (scipy.stats.beta.ppf).
test.each([
  [2, 7, 0.06472826694948343, 0.647661654959421],
  [5, 10, 0.22352867025270517, 0.7764713297472947],
  [0, 20, 2.4246478459242733e-5, 0.11663898290487539],
  [20, 20, 0.8833610170951246, 0.9999757535215408],
  [1, 1000, 0.00010791880468097968, 0.004664458808791372],
  [500, 1000, 0.46904771269911394, 0.5309522873008861],
  [3, 100000, 8.449415825486264e-6, 8.006161709151734e-5],
  [999999, 1000000, 0.9999953258079533, 0.9999998921023375],
] as const)("Jeffreys interval of %i of %i", (successes, trials, low, high) => {
  const interval = betaPosterior(successes, trials).credible();
  expect(Math.abs(interval.low / low - 1)).toBeLessThan(1e-9);
  expect(Math.abs(interval.high / high - 1)).toBeLessThan(1e-9);
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
