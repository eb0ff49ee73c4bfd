import fc from "fast-check";
import { expect, test } from "vitest";
import { meanPassAtK, passAtK } from "./pass-at-k.ts";

const choose = (n: number, k: number): bigint => {
  let result = 1n;
  for (let index = 0; index < k; index++) result = (result * BigInt(n - index)) / BigInt(index + 1);
  return k > n ? 0n : result;
};

test("1 - C(n-c, k) / C(n, k), in exact integers", () => {
  const drawn = fc
    .tuple(fc.integer({ min: 1, max: 200 }), fc.nat(), fc.nat())
    .map(([n, c, k]) => [n, c % (n + 1), 1 + (k % n)] as const);
  fc.assert(
    fc.property(drawn, ([n, c, k]) => {
      const missed = Number((choose(n - c, k) * 10n ** 30n) / choose(n, k)) / 1e30;
      expect(passAtK(n, c, k).value).toBeCloseTo(1 - missed, 12);
    }),
  );
});

// BR112
test("the cases at the edges", () => {
  expect(passAtK(2, 0, 5)).toEqual({ value: null, reason: "2 attempts are fewer than k = 5" });
  expect(passAtK(0, 0, 1).value).toBeNull();
  expect(passAtK(4, 2, 5).value).toBeNull();
  expect(passAtK(5, 0, 5)).toEqual({ value: 0, reason: null });
  expect(passAtK(5, 1, 5)).toEqual({ value: 1, reason: null });
  expect(passAtK(5, 5, 1)).toEqual({ value: 1, reason: null });
  expect(passAtK(10, 3, 1).value).toBeCloseTo(0.3, 15);
  expect(() => passAtK(5, 6, 1)).toThrow(RangeError);
  expect(() => passAtK(5, 1, 0)).toThrow(RangeError);
});

test("the mean over groups leaves out and counts those that are too small", () => {
  const groups = [
    { attempts: 4, successes: 2 },
    { attempts: 1, successes: 1 },
    { attempts: 2, successes: 0 },
  ];
  const mean = meanPassAtK(groups, 2);
  expect(mean).toMatchObject({ groups: 2, leftOut: 1, reason: null });
  expect(mean.value).toBeCloseTo((5 / 6 + 0) / 2, 12);
  expect(meanPassAtK(groups, 5)).toMatchObject({ value: null, groups: 0, leftOut: 3 });
  expect(meanPassAtK([], 1)).toMatchObject({ value: null, reason: "there are no groups" });
});
