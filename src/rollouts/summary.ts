import { type Cause, isGraded, type Outcome } from "../contract/index.ts";
import { describeRate, type RateSummary, rateSummary } from "../statistics/index.ts";

/** What of a trial result a summary needs. */
export type GradedTrial = {
  readonly grading: {
    readonly outcome: Outcome;
    readonly verdict: { readonly score: number } | null;
    readonly cause: Cause | null;
  };
};

export type RolloutSummary = {
  readonly rate: RateSummary;
  /** Mean score of the graded; null when none was, or when the rate is refused. */
  readonly meanScore: number | null;
  /** How often each cause was found, most frequent first. */
  readonly causes: readonly { readonly outcome: Outcome; readonly code: string; readonly count: number }[];
  /** The one sentence that every rendering prints. */
  readonly text: string;
};

/** Attempted, graded, ungraded, the rate with its interval and what the ungraded could change. */
export function summarise(results: readonly GradedTrial[]): RolloutSummary {
  const rate = rateSummary(results.map(({ grading }) => grading.outcome));
  const scores = results.flatMap(({ grading }) =>
    isGraded(grading.outcome) && grading.verdict ? [grading.verdict.score] : [],
  );
  const counts = new Map<string, { outcome: Outcome; code: string; count: number }>();
  for (const { grading } of results) {
    if (!grading.cause) continue;
    const key = `${grading.outcome} ${grading.cause.code}`;
    const entry = counts.get(key) ?? { outcome: grading.outcome, code: grading.cause.code, count: 0 };
    counts.set(key, { ...entry, count: entry.count + 1 });
  }
  const mean = scores.length > 0 && rate.refused === null ? scores.reduce((a, b) => a + b, 0) / scores.length : null;
  return {
    rate,
    meanScore: mean,
    causes: [...counts.values()].sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1)),
    text: describeRate(rate),
  };
}
