import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clopperPearson, newcombe, wilson } from "./proportion.ts";

const counts = fc
  .integer({ min: 0, max: 5000 })
  .chain((trials) => fc.tuple(fc.integer({ min: 0, max: trials }), fc.constant(trials)));
const confidences = fc.double({ min: 0.5, max: 0.9999, noNaN: true });

// Newcombe 1998, Statistics in Medicine 17:857-872, table I: methods 3 (score) and 5 (exact), 95 %.
describe("Newcombe 1998, table I", () => {
  test.each([
    [81, 263, [0.2553, 0.3662], [0.2527, 0.3676]],
    [15, 148, [0.0624, 0.1605], [0.0578, 0.1617]],
    [0, 20, [0, 0.1611], [0, 0.1684]],
    [1, 29, [0.0061, 0.1718], [0.0009, 0.1776]],
  ] as const)("%i of %i", (successes, trials, score, exact) => {
    const one = wilson(successes, trials);
    const two = clopperPearson(successes, trials);
    expect(one.low).toBeCloseTo(score[0], 4);
    expect(one.high).toBeCloseTo(score[1], 4);
    expect(two.low).toBeCloseTo(exact[0], 4);
    expect(two.high).toBeCloseTo(exact[1], 4);
  });
});

// Newcombe 1998, Statistics in Medicine 17:873-890, table II: method 10 (hybrid score), 95 %.
describe("Newcombe 1998 (difference), table II", () => {
  test.each([
    [56, 70, 48, 80, 0.0524, 0.3339],
    [9, 10, 3, 10, 0.1705, 0.809],
    [6, 7, 2, 7, 0.0582, 0.8062],
    [5, 56, 0, 29, -0.0381, 0.1926],
    [0, 10, 0, 20, -0.1611, 0.2775],
    [0, 10, 0, 10, -0.2775, 0.2775],
    [10, 10, 0, 20, 0.6791, 1],
    [10, 10, 0, 10, 0.6075, 1],
  ])("%i/%i - %i/%i", (a, m, b, n, low, high) => {
    const interval = newcombe({ successes: a, trials: m }, { successes: b, trials: n });
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });
});

test("intervals hold the estimate, lie in [0, 1] and mirror when successes and failures change places", () => {
  for (const method of [wilson, clopperPearson])
    fc.assert(
      fc.property(counts, confidences, ([successes, trials], confidence) => {
        const { low, high } = method(successes, trials, confidence);
        const mirror = method(trials - successes, trials, confidence);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(high);
        if (trials > 0) {
          expect(low).toBeLessThanOrEqual(successes / trials);
          expect(high).toBeGreaterThanOrEqual(successes / trials);
        }
        expect(mirror.low).toBeCloseTo(1 - high, 9);
        expect(mirror.high).toBeCloseTo(1 - low, 9);
      }),
    );
});

test("more confidence, a wider interval", () => {
  for (const method of [wilson, clopperPearson])
    fc.assert(
      fc.property(counts, confidences, confidences, ([successes, trials], a, b) => {
        const narrow = method(successes, trials, Math.min(a, b));
        const wide = method(successes, trials, Math.max(a, b));
        expect(wide.low).toBeLessThanOrEqual(narrow.low + 1e-12);
        expect(wide.high).toBeGreaterThanOrEqual(narrow.high - 1e-12);
      }),
    );
});

test("a difference lies in [-1, 1], holds the estimate and changes sign with its sides", () => {
  fc.assert(
    fc.property(counts, counts, ([a, m], [b, n]) => {
      const there = newcombe({ successes: a, trials: m }, { successes: b, trials: n });
      const back = newcombe({ successes: b, trials: n }, { successes: a, trials: m });
      expect(there.low).toBeGreaterThanOrEqual(-1);
      expect(there.high).toBeLessThanOrEqual(1);
      expect(back.low).toBeCloseTo(-there.high, 12);
      if (m > 0 && n > 0) {
        expect(there.low).toBeLessThanOrEqual(a / m - b / n + 1e-12);
        expect(there.high).toBeGreaterThanOrEqual(a / m - b / n - 1e-12);
      } else expect(there.difference).toBeNull();
    }),
  );
});

test("no trials know nothing", () => {
  expect(wilson(0, 0)).toEqual({ low: 0, high: 1 });
  expect(clopperPearson(0, 0)).toEqual({ low: 0, high: 1 });
});

test("what is no count is refused", () => {
  for (const [successes, trials] of [
    [-1, 2],
    [3, 2],
    [0.5, 2],
    [Number.NaN, 2],
    [0, Number.NaN],
    [0, Number.POSITIVE_INFINITY],
  ] as const) {
    expect(() => wilson(successes, trials)).toThrow(RangeError);
    expect(() => clopperPearson(successes, trials)).toThrow(RangeError);
  }
  for (const confidence of [0, 1, -1, 95, Number.NaN]) {
    expect(() => wilson(1, 2, confidence)).toThrow(RangeError);
    expect(() => clopperPearson(1, 2, confidence)).toThrow(RangeError);
  }
});
