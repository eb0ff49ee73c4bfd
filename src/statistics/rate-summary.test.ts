import fc from "fast-check";
import { expect, test } from "vitest";
import { type Outcome, outcomeSchema } from "../contract/index.ts";
import { describeRate } from "./describe-rate.ts";
import { rateSummary } from "./rate-summary.ts";

const times = (count: number, outcome: Outcome): Outcome[] => new Array<Outcome>(count).fill(outcome);

// BR030
test("errored attempts stay in sight: 100 attempts, 10 faults, 80 successes", () => {
  const summary = rateSummary([...times(80, "success"), ...times(10, "failure"), ...times(10, "infra_error")]);
  expect(summary).toMatchObject({
    attempted: 100,
    graded: 90,
    ungraded: 10,
    successes: 80,
    rate: null,
    interval: null,
  });
  expect(summary.bounds).toEqual({ low: 0.8, high: 0.9 });
  expect(summary.infrastructureShare).toBe(0.1);
  expect(summary.refused).toMatch(/10 of 100 attempts \(10 %\).*more than 5 %/);
  expect(describeRate(summary)).toMatch(
    /^80 of 90 graded succeeded; 10 of 100 not graded \(10 infra_error\), with them 80\.0–90\.0 %; no rate: /,
  );
});

test("a share of 5 % is let through, with its bounds", () => {
  const summary = rateSummary([...times(80, "success"), ...times(15, "failure"), ...times(5, "infra_error")]);
  expect(summary.refused).toBeNull();
  expect(summary.rate).toBeCloseTo(80 / 95, 12);
  expect(summary.interval?.low).toBeLessThan(80 / 95);
  expect(describeRate(summary)).toBe(
    "80 of 95 graded succeeded (84.2 %, 95 % interval 75.6–90.2 %); 5 of 100 not graded (5 infra_error), with them 80.0–85.0 %",
  );
});

test("cancelled attempts do not thin out the share", () => {
  const summary = rateSummary([...times(9, "success"), "infra_error", ...times(90, "cancelled")]);
  expect(summary.infrastructureShare).toBe(0.1);
  expect(summary.refused).not.toBeNull();
});

test("nothing graded, nothing attempted: no rate and no NaN", () => {
  expect(rateSummary([])).toMatchObject({
    rate: null,
    bounds: { low: 0, high: 1 },
    refused: "none of 0 attempts was graded",
  });
  expect(rateSummary(times(3, "task_error"))).toMatchObject({ rate: null, bounds: { low: 0, high: 1 } });
  expect(describeRate(rateSummary([]))).toBe("0 of 0 graded succeeded; no rate: none of 0 attempts was graded");
});

test("counts add up, the rate lies in its interval, the bounds hold what any grading could give", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...outcomeSchema.options)), (outcomes) => {
      const summary = rateSummary(outcomes);
      expect(summary.graded + summary.ungraded).toBe(summary.attempted);
      expect(Object.values(summary.counts).reduce((a, b) => a + b, 0)).toBe(outcomes.length);
      expect(JSON.stringify(summary)).not.toMatch(/NaN|Infinity/);
      expect(describeRate(summary)).not.toMatch(/NaN|Infinity|null|undefined/);
      if (summary.rate !== null && summary.interval !== null) {
        expect(summary.refused).toBeNull();
        expect(summary.rate).toBeGreaterThanOrEqual(summary.interval.low);
        expect(summary.rate).toBeLessThanOrEqual(summary.interval.high);
        expect(summary.rate).toBeGreaterThanOrEqual(summary.bounds.low);
        expect(summary.rate).toBeLessThanOrEqual(summary.bounds.high);
      } else expect(summary.refused).not.toBeNull();
    }),
  );
});
