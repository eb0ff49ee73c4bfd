import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Random } from "./random.ts";

/** xoshiro128** 1.1 once more, in arbitrary integers, from its published definition. */
function* reference(seed: string): Generator<number> {
  const mask = 0xffffffffn;
  const digest = createHash("sha256").update(`routesetter:${seed}`).digest();
  const state = [0, 4, 8, 12].map((at) => BigInt(digest.readUInt32LE(at)));
  const rotate = (x: bigint, k: bigint) => ((x << k) | (x >> (32n - k))) & mask;
  for (;;) {
    let [a, b, c, d] = state as [bigint, bigint, bigint, bigint];
    yield Number((rotate((b * 5n) & mask, 7n) * 9n) & mask);
    const t = (b << 9n) & mask;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= t;
    d = rotate(d, 11n);
    state.splice(0, 4, a, b, c, d);
  }
}

test("the words are those of xoshiro128**, for any seed", () => {
  fc.assert(
    fc.property(fc.string(), (seed) => {
      const random = new Random(seed);
      const words = reference(seed);
      for (let draw = 0; draw < 50; draw++) expect(random.word()).toBe(words.next().value);
    }),
    { numRuns: 50 },
  );
});

test("a seed's first words never change", () => {
  const random = new Random(7);
  expect([random.word(), random.word(), random.word(), random.word()]).toEqual([
    11741232, 3801258761, 3514773515, 333776690,
  ]);
});

test("a fork depends on seed and label alone", () => {
  const one = new Random("s");
  one.word();
  expect(one.fork("a").next()).toBe(new Random("s").fork("a").next());
  expect(one.fork("a").next()).not.toBe(one.fork("b").next());
});

test("draws stay in their range and reach all of it", () => {
  fc.assert(
    fc.property(
      fc.integer(),
      fc.integer({ min: -1000, max: 1000 }),
      fc.integer({ min: 0, max: 9 }),
      (seed, low, span) => {
        const random = new Random(seed);
        const seen = new Set<number>();
        for (let draw = 0; draw < 300; draw++) seen.add(random.integer(low, low + span));
        expect(Math.min(...seen)).toBe(low);
        expect(Math.max(...seen)).toBe(low + span);
        expect(seen.size).toBe(span + 1);
        const next = random.next();
        expect(next >= 0 && next < 1).toBe(true);
        expect(Number.isFinite(random.normal())).toBe(true);
      },
    ),
    { numRuns: 50 },
  );
});

test("shuffle and sample keep the items", () => {
  const items = [1, 2, 3, 4, 5, 6, 7, 8];
  const random = new Random("items");
  expect(random.shuffle(items).sort()).toEqual(items);
  expect(new Set(random.sample(items, 5)).size).toBe(5);
  expect(items).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(() => random.sample(items, 9)).toThrow(RangeError);
  expect(() => random.pick([])).toThrow(RangeError);
  expect(() => random.integer(0, 2 ** 40)).toThrow(RangeError);
});

test("the draws are even: χ² of 64 bins over 64,000 draws", () => {
  const random = new Random("even");
  const bins = new Array<number>(64).fill(0);
  for (let draw = 0; draw < 64_000; draw++) bins[random.integer(0, 63)]!++;
  const statistic = bins.reduce((sum, seen) => sum + (seen - 1000) ** 2 / 1000, 0);
  expect(statistic).toBeLessThan(103.4);
});
