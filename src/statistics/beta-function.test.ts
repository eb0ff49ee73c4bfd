import fc from "fast-check";
import { expect, test } from "vitest";
import { inverseRegularisedBeta, logBeta, logGamma, regularisedBeta } from "./beta-function.ts";

/** I_x(a, b) for whole a, b and x = n / 1024, as a binomial tail in exact integers. */
function exact(n: number, a: number, b: number): number {
  const trials = a + b - 1;
  let sum = 0n;
  let choose = 1n;
  for (let k = 0; k <= trials; k++) {
    if (k >= a) sum += choose * BigInt(n) ** BigInt(k) * BigInt(1024 - n) ** BigInt(trials - k);
    choose = (choose * BigInt(trials - k)) / BigInt(k + 1);
  }
  const scale = 10n ** 60n;
  return Number((sum * scale) / 1024n ** BigInt(trials)) / 1e60;
}

test("the regularised incomplete beta agrees with exact binomial sums", () => {
  const size = fc.integer({ min: 1, max: 80 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1024 }), size, size, (n, a, b) => {
      const expected = exact(n, a, b);
      expect(Math.abs(regularisedBeta(n / 1024, a, b) - expected)).toBeLessThanOrEqual(1e-13 + 1e-12 * expected);
    }),
    { numRuns: 500 },
  );
});

// As SciPy 1.18.1 gives them (scipy.special.betainc).
test.each([
  [0.3, 0.5, 0.5, 0.36901011956554536],
  [1e-10, 0.01, 3, 0.8062828746552853],
  [0.999, 1e4, 2.5, 0.0012435318850136001],
  [0.5, 1e5, 1e5, 0.5],
  [0.501, 1e6, 1e6, 0.997661150593068],
  [0.1, 200, 1700, 0.2299413068581043],
  [1e-300, 0.001, 0.001, 0.25059402842244344],
])("I_%d(%d, %d)", (x, a, b, value) => {
  expect(Math.abs(regularisedBeta(x, a, b) / value - 1)).toBeLessThan(1e-9);
});

test("closed forms: Beta(1, b), Beta(a, 1), the arcsine law Beta(1/2, 1/2)", () => {
  const x = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(x, fc.double({ min: 0.01, max: 500, noNaN: true }), (at, shape) => {
      expect(regularisedBeta(at, 1, shape)).toBeCloseTo(1 - (1 - at) ** shape, 11);
      expect(regularisedBeta(at, shape, 1)).toBeCloseTo(at ** shape, 11);
      expect(regularisedBeta(at, 0.5, 0.5)).toBeCloseTo(
        (2 / Math.PI) * Math.atan2(Math.sqrt(at), Math.sqrt(1 - at)),
        11,
      );
    }),
  );
});

test("the inverse inverts, is monotonic and never NaN", () => {
  const shape = fc.oneof(
    fc.double({ min: 0.01, max: 5, noNaN: true }),
    fc.double({ min: 5, max: 1e5, noNaN: true }),
    fc.integer({ min: 1, max: 1_000_000 }),
  );
  const probability = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(probability, probability, shape, shape, (p, q, a, b) => {
      const x = inverseRegularisedBeta(p, a, b);
      const y = inverseRegularisedBeta(q, a, b);
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x).toBeLessThanOrEqual(1);
      if (p < q) expect(x).toBeLessThanOrEqual(y + 1e-12);
      if (x > 1e-300 && x < 1 - 1e-9) {
        // A neighbour in floating point may be a step of probability away.
        const step =
          regularisedBeta(Math.min(1, x * (1 + 1e-15) + Number.MIN_VALUE), a, b) -
          regularisedBeta(x * (1 - 1e-15), a, b);
        expect(Math.abs(regularisedBeta(x, a, b) - p)).toBeLessThanOrEqual(1e-9 + Math.abs(step));
      }
    }),
    { numRuns: 1000 },
  );
});

test("ln Γ at factorials and at one half", () => {
  let factorial = 0;
  for (let n = 1; n <= 170; n++) {
    expect(logGamma(n)).toBeCloseTo(factorial, 10);
    factorial += Math.log(n);
  }
  expect(logGamma(0.5)).toBeCloseTo(0.5 * Math.log(Math.PI), 13);
  expect(logGamma(1e8)).toBeCloseTo(1e8 * Math.log(1e8) - 1e8 - 0.5 * Math.log(1e8 / (2 * Math.PI)), 4);
});

test("ln B is symmetric and meets its recurrence", () => {
  const shape = fc.double({ min: 0.01, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(shape, shape, (a, b) => {
      expect(logBeta(a, b)).toBe(logBeta(b, a));
      const step = logBeta(a, b) - logBeta(a + 1, b);
      expect(Math.abs(step - Math.log1p(b / a))).toBeLessThanOrEqual(1e-9 * (1 + Math.abs(logBeta(a, b))));
    }),
  );
});

test("arguments outside the domain are refused", () => {
  for (const call of [
    () => regularisedBeta(-0.1, 1, 1),
    () => regularisedBeta(Number.NaN, 1, 1),
    () => regularisedBeta(0.5, 0, 1),
    () => inverseRegularisedBeta(1.1, 1, 1),
    () => inverseRegularisedBeta(0.5, 1, Number.POSITIVE_INFINITY),
    () => logGamma(0),
  ])
    expect(call).toThrow(RangeError);
});
