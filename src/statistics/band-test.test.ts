import fc from "fast-check";
import { expect, test } from "vitest";
import { bandTest, confidenceSequence, logEvidenceAgainst } from "./band-test.ts";
import { wilson } from "./proportion.ts";
import { Random } from "./random.ts";

const band = { low: 0.3, high: 0.7 };

test("the evidence is the product of one-step predictions over the rate's own", () => {
  fc.assert(
    fc.property(
      fc.array(fc.boolean(), { maxLength: 60 }),
      fc.double({ min: 0.01, max: 0.99, noNaN: true }),
      (draws, rate) => {
        let log = 0;
        let successes = 0;
        for (const [index, isSuccess] of draws.entries()) {
          const predicted = (successes + 0.5) / (index + 1);
          log += Math.log(isSuccess ? predicted / rate : (1 - predicted) / (1 - rate));
          if (isSuccess) successes++;
        }
        expect(logEvidenceAgainst(rate, successes, draws.length)).toBeCloseTo(log, 8);
      },
    ),
  );
});

test("clear cases are decided, unclear ones go on", () => {
  expect(bandTest(0, 0, band)).toBe("continue");
  expect(bandTest(1, 2, band)).toBe("continue");
  expect(bandTest(0, 30, band)).toBe("below");
  expect(bandTest(30, 30, band)).toBe("above");
  expect(bandTest(50, 100, band)).toBe("in");
  expect(bandTest(30, 100, band)).toBe("continue");
  expect(bandTest(0, 0, { low: 0, high: 1 })).toBe("in");
  expect(bandTest(0, 40, { low: 0, high: 0.5 })).toBe("in");
});

test("a decision says that the confidence sequence lies inside or outside the band", () => {
  const counts = fc
    .integer({ min: 1, max: 3000 })
    .chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)));
  fc.assert(
    fc.property(counts, ([successes, trials]) => {
      const { low, high } = confidenceSequence(successes, trials);
      const decision = bandTest(successes, trials, band);
      if (decision === "in") expect(low >= band.low - 1e-9 && high <= band.high + 1e-9).toBe(true);
      if (decision === "below") expect(high).toBeLessThanOrEqual(band.low + 1e-9);
      if (decision === "above") expect(low).toBeGreaterThanOrEqual(band.high - 1e-9);
      expect(low <= successes / trials && successes / trials <= high).toBe(true);
      if (trials >= 10)
        expect(high - low).toBeGreaterThanOrEqual(wilson(successes, trials).high - wilson(successes, trials).low);
    }),
  );
});

/** Share of runs, asked after every trial, that ever end in this decision. */
function share(rate: number, decision: string, runs: number, trials: number, random: Random): number {
  let hits = 0;
  for (let run = 0; run < runs; run++) {
    let successes = 0;
    for (let trial = 1; trial <= trials; trial++) {
      if (random.boolean(rate)) successes++;
      const now = bandTest(successes, trial, band);
      if (now === "continue") continue;
      if (now === decision) hits++;
      break;
    }
  }
  return hits / runs;
}

test("asked after every trial, wrong decisions stay under the error, right ones come", () => {
  const random = new Random("band");
  expect(share(0.29, "in", 400, 300, random.fork(1))).toBeLessThan(0.05);
  expect(share(0.3, "below", 400, 300, random.fork(2))).toBeLessThan(0.05);
  expect(share(0.7, "above", 400, 300, random.fork(3))).toBeLessThan(0.05);
  expect(share(0.71, "in", 400, 300, random.fork(4))).toBeLessThan(0.05);
  expect(share(0.5, "in", 100, 300, random.fork(5))).toBeGreaterThan(0.95);
  expect(share(0.05, "below", 100, 300, random.fork(6))).toBeGreaterThan(0.95);
  expect(share(0.95, "above", 100, 300, random.fork(7))).toBeGreaterThan(0.95);
});

test("a fixed-sample interval asked after every trial would not hold: the guard bites", () => {
  const random = new Random("naive");
  let wrong = 0;
  for (let run = 0; run < 300; run++) {
    let successes = 0;
    for (let trial = 1; trial <= 400; trial++) {
      if (random.boolean(0.3)) successes++;
      if (wilson(successes, trial).high < 0.3) {
        wrong++;
        break;
      }
    }
  }
  expect(wrong / 300).toBeGreaterThan(0.05);
});

test("bad bands and errors are refused", () => {
  for (const wrong of [
    { low: 0.5, high: 0.5 },
    { low: -1, high: 1 },
    { low: 0, high: 2 },
    { low: Number.NaN, high: 1 },
  ])
    expect(() => bandTest(1, 2, wrong)).toThrow(RangeError);
  expect(() => bandTest(1, 2, band, 0)).toThrow(RangeError);
  expect(() => bandTest(3, 2, band)).toThrow(RangeError);
});
