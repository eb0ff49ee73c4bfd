import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runAll } from "./run-all.ts";

type Session = { order: number[]; delivered: number[]; pulledAt: number[] };

/** Runs the items until `stopAfter` of them are delivered, after the completions that are journalled already. */
async function session(
  journal: number[],
  options: { count: number; workers: number; window: number; delays: number[]; stopAfter: number },
): Promise<Session> {
  const { count, workers, window, delays, stopAfter } = options;
  const delivered: number[] = [];
  const pulledAt: number[] = [];
  function* items() {
    for (let i = 0; i < count; i++) {
      pulledAt.push(delivered.length);
      yield i;
    }
  }
  await runAll<number, number>({
    key: "k",
    items: items(),
    work: async (item) => {
      for (let i = 0; i < (delays[item % delays.length] as number); i++) await Promise.resolve();
      return item;
    },
    workers,
    window,
    order: [...journal][Symbol.iterator]() as Iterator<number, undefined>,
    record: (position, index) => {
      expect(position).toBe(journal.length);
      journal.push(index);
    },
    deliver: (_, item) => void delivered.push(item),
    ended: () => (delivered.length >= stopAfter ? { reason: new Error("stopped") } : null),
    joined: () => {},
  }).catch((error: Error) => {
    if (error.message !== "stopped") throw error;
  });
  return { order: [...journal], delivered, pulledAt };
}

describe("runAll", () => {
  it("delivers the journalled order again and takes each item at the same moment, whatever the latencies are", async () => {
    const delays = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 7 });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 6 }),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), delays), { minLength: 1, maxLength: 4 }),
        async (count, window, workers, sessions) => {
          const journal: number[] = [];
          const seen: Session[] = [];
          for (const [stopAfter, latencies] of [...sessions, [Number.POSITIVE_INFINITY, [3, 1, 2]] as const])
            seen.push(
              await session(journal, {
                count,
                window,
                workers: Math.min(workers, window),
                delays: [...latencies],
                stopAfter,
              }),
            );
          const last = seen.at(-1) as Session;
          expect([...last.delivered].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, i) => i));
          expect(last.delivered).toEqual(journal);
          for (const { delivered } of seen) expect(delivered).toEqual(journal.slice(0, delivered.length));
          if (workers >= window)
            for (const { pulledAt } of seen)
              for (const [index, at] of pulledAt.entries()) expect(at).toBe(Math.max(0, index - window + 1));
        },
      ),
      { numRuns: 200 },
    );
  });
});
