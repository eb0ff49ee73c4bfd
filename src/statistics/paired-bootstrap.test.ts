import fc from "fast-check";
import { expect, test } from "vitest";
import { pairedBootstrap } from "./paired-bootstrap.ts";
import { Random } from "./random.ts";

const pair = fc.tuple(fc.double({ min: -10, max: 10, noNaN: true }), fc.double({ min: -10, max: 10, noNaN: true }));

test("the same seed gives the same interval, which holds what the differences can give", () => {
  fc.assert(
    fc.property(fc.array(pair, { minLength: 1, maxLength: 30 }), fc.integer(), (pairs, seed) => {
      const options = { resamples: 200 };
      const one = pairedBootstrap(pairs, new Random(seed), options);
      expect(one).toEqual(pairedBootstrap(pairs, new Random(seed), options));
      const differences = pairs.map(([a, b]) => a - b);
      expect(one?.low).toBeLessThanOrEqual((one?.high ?? 0) + 1e-12);
      expect(one?.low).toBeGreaterThanOrEqual(Math.min(...differences) - 1e-9);
      expect(one?.high).toBeLessThanOrEqual(Math.max(...differences) + 1e-9);
    }),
    { numRuns: 50 },
  );
});

test("pairing cancels what both sides share", () => {
  const random = new Random("shared");
  const pairs = Array.from({ length: 40 }, () => {
    const task = random.normal(0, 10);
    return [task + 1 + random.normal(0, 0.1), task] as const;
  });
  const result = pairedBootstrap(pairs, random.fork("b"));
  expect(result?.low).toBeGreaterThan(0.9);
  expect(result?.high).toBeLessThan(1.1);
  expect(result?.shareNotAbove).toBe(0);
});

test("about 95 of 100 intervals hold the true mean", () => {
  const random = new Random("coverage");
  let held = 0;
  for (let run = 0; run < 200; run++) {
    const draw = random.fork(run);
    const pairs = Array.from({ length: 40 }, () => [draw.normal(0.5), draw.normal(0)] as const);
    const result = pairedBootstrap(pairs, draw, { resamples: 300 });
    if (result !== null && result.low <= 0.5 && 0.5 <= result.high) held++;
  }
  expect(held / 200).toBeGreaterThan(0.88);
  expect(held / 200).toBeLessThanOrEqual(1);
});

test("no pairs: null; what is no number is refused", () => {
  expect(pairedBootstrap([], new Random(1))).toBeNull();
  expect(() => pairedBootstrap([[Number.NaN, 1]], new Random(1))).toThrow(RangeError);
  expect(() => pairedBootstrap([[1, 1]], new Random(1), { confidence: 1 })).toThrow(RangeError);
});
