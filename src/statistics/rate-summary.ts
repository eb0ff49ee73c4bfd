import { isGraded, type Outcome } from "../contract/index.ts";
import { type Interval, wilson } from "./proportion.ts";

/** An infrastructure share above this and no rate is given. */
export const maximumInfrastructureShare = 0.05;

export type RateSummary = {
  readonly attempted: number;
  readonly graded: number;
  readonly ungraded: number;
  readonly successes: number;
  readonly counts: Readonly<Record<Outcome, number>>;
  /** Successes of the graded; null when refused. */
  readonly rate: number | null;
  /** Wilson's interval at `confidence`, of the graded. */
  readonly interval: Interval | null;
  /** The rate if all the ungraded had failed, and if all had succeeded. */
  readonly bounds: Interval;
  readonly confidence: number;
  readonly infrastructureShare: number;
  /** Why there is no rate; null when there is one. */
  readonly refused: string | null;
};

/**
 * Sums up outcomes without hiding any: what was attempted, what was graded, and what the ungraded could change. Only
 * success and failure are graded. Refused when nothing was graded or when more than 5 % of the attempts (the cancelled
 * apart) met a fault of the infrastructure.
 */
export function rateSummary(outcomes: Iterable<Outcome>, confidence = 0.95): RateSummary {
  const counts: Record<Outcome, number> = { success: 0, failure: 0, task_error: 0, infra_error: 0, cancelled: 0 };
  let attempted = 0;
  let graded = 0;
  for (const outcome of outcomes) {
    counts[outcome]++;
    attempted++;
    if (isGraded(outcome)) graded++;
  }
  const ungraded = attempted - graded;
  const ran = attempted - counts.cancelled;
  const infrastructureShare = ran === 0 ? 0 : counts.infra_error / ran;
  const refused =
    infrastructureShare > maximumInfrastructureShare
      ? `${counts.infra_error} of ${ran} attempts (${percent(infrastructureShare)}) met a fault of the infrastructure, more than ${percent(maximumInfrastructureShare)}: run them again first`
      : graded === 0
        ? `none of ${attempted} attempts was graded`
        : null;
  return {
    attempted,
    graded,
    ungraded,
    successes: counts.success,
    counts,
    rate: refused === null ? counts.success / graded : null,
    interval: refused === null ? wilson(counts.success, graded, confidence) : null,
    bounds:
      attempted === 0
        ? { low: 0, high: 1 }
        : { low: counts.success / attempted, high: (counts.success + ungraded) / attempted },
    confidence,
    infrastructureShare,
    refused,
  };
}

const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 && share !== 0.05 ? 1 : 0)} %`;
