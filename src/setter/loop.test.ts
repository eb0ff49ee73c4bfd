import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Flow, Json } from "../contract/index.ts";
import { openLocalEngine } from "../engine/index.ts";
import { Random } from "../statistics/index.ts";
import { openStore } from "../store/index.ts";
import { type Budget, budgetFor, type Decision, funnelOf, runSetter, type Setter } from "./index.ts";

const directories: string[] = [];
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

/** Accepts what `good` says, after a delay that is drawn anew for each timing. */
async function runOnce(options: {
  good: (index: number) => boolean;
  /** Nothing was found out about these. */
  ungraded?: (index: number) => boolean;
  key?: (index: number) => string;
  budget: Budget;
  timing: number;
}): Promise<{ accepted: number[]; archived: number[]; evaluated: number[]; reachedGoal: boolean; atOnce: number }> {
  const directory = mkdtempSync(join(tmpdir(), "setter-"));
  directories.push(directory);
  const store = openStore(directory);
  const engine = openLocalEngine({ store, queues: { trial: 64 } });
  const random = new Random(options.timing);
  const archived: number[] = [];
  const evaluated: number[] = [];
  let running = 0;
  let atOnce = 0;
  const setter: Setter<Json> = {
    name: "test",
    design: async (index) => ({ index, key: options.key?.(index) ?? `key-${index}`, design: null }),
    async evaluate({ index }) {
      evaluated.push(index);
      running++;
      atOnce = Math.max(atOnce, running);
      await new Promise((resolve) => setTimeout(resolve, random.integer(0, 5)));
      running--;
      const accepted = options.good(index);
      return {
        accepted,
        stage: "gate",
        reasons: accepted ? [] : ["oracle_max"],
        outcome: accepted ? "success" : options.ungraded?.(index) ? "infra_error" : "failure",
        warnings: 0,
        trials: 6,
        evidence: null,
      };
    },
    async archive({ index }, decision) {
      if (decision.accepted) archived.push(index);
    },
  };
  const flow: Flow = {
    name: "test",
    version: "1",
    run: async (context) => (await runSetter(context, setter, options.budget)) as unknown as Json,
  };
  const handle = await engine.submit(flow, null, { id: "run" });
  const { decisions, reachedGoal } = (await handle.result) as unknown as {
    decisions: Decision[];
    reachedGoal: boolean;
  };
  await engine.close();
  store.close();
  const accepted = decisions.filter((decision) => decision.accepted).map((decision) => decision.index);
  return { accepted, archived: archived.sort((a, b) => a - b), evaluated, reachedGoal, atOnce };
}

describe("runSetter", () => {
  it("accepts the same candidates whatever the timing, and proposes no more than it needs", async () => {
    const results = await Promise.all(
      [1, 2, 3, 4].map((timing) => runOnce({ good: (index) => index % 3 !== 0, budget: budgetFor(10, 5), timing })),
    );
    for (const { accepted, archived, evaluated, reachedGoal } of results) {
      expect(accepted).toEqual([1, 2, 4, 5, 7, 8, 10, 11, 13, 14]);
      expect(archived).toEqual(accepted);
      expect(Math.max(...evaluated)).toBe(14);
      expect(reachedGoal).toBe(true);
    }
  });

  it("keeps to its concurrency", async () => {
    const { atOnce } = await runOnce({ good: () => true, budget: budgetFor(30, 4), timing: 1 });
    expect(atOnce).toBeGreaterThan(1);
    expect(atOnce).toBeLessThanOrEqual(4);
  });

  it("ends when the budget is spent, and says that the goal was missed", async () => {
    const { accepted, evaluated, reachedGoal } = await runOnce({
      good: () => false,
      budget: budgetFor(4, 2, 9),
      timing: 1,
    });
    expect(accepted).toEqual([]);
    expect(evaluated).toHaveLength(9);
    expect(reachedGoal).toBe(false);
  });

  it("keeps the place of what could not be graded, and proposes nothing instead", async () => {
    const { accepted, evaluated, reachedGoal } = await runOnce({
      good: (index) => index !== 1,
      ungraded: (index) => index === 1,
      budget: budgetFor(4, 2),
      timing: 3,
    });
    expect(accepted).toEqual([0, 2, 3]);
    expect(evaluated.sort((a, b) => a - b)).toEqual([0, 1, 2, 3]);
    expect(reachedGoal).toBe(false);
  });

  it("pays for no second evaluation of a duplicate", async () => {
    const { accepted, evaluated } = await runOnce({
      good: () => true,
      key: (index) => `key-${Math.floor(index / 2)}`,
      budget: budgetFor(3, 2),
      timing: 1,
    });
    expect(accepted).toEqual([0, 2, 4]);
    expect(evaluated.sort((a, b) => a - b)).toEqual([0, 2, 4]);
  });
});

describe("funnelOf", () => {
  it("keeps ungraded candidates apart from rejected ones", () => {
    const decision = { key: "k", stage: "gate" as const, warnings: 0, trials: 1, evidence: null };
    const funnel = funnelOf([
      { ...decision, index: 0, accepted: true, reasons: [], outcome: "success" },
      { ...decision, index: 1, accepted: false, reasons: ["floor_gap"], outcome: "failure" },
      { ...decision, index: 2, accepted: false, reasons: ["oracle_max"], outcome: "infra_error" },
      { ...decision, index: 3, accepted: false, reasons: ["duplicate"], outcome: "failure" },
    ]);
    expect(funnel).toMatchObject({ proposed: 4, accepted: 1, rejected: 1, ungraded: 1, duplicates: 1, trials: 4 });
    expect(funnel.rejectedBy).toEqual({ duplicate: 1, floor_gap: 1, oracle_max: 1 });
  });
});
