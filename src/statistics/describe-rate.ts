import type { Outcome } from "../contract/index.ts";
import type { RateSummary } from "./rate-summary.ts";

const ungradedOutcomes = ["task_error", "infra_error", "cancelled"] as const satisfies readonly Outcome[];

/**
 * The one sentence for a rate, so that every rendering says the same: `80 of 90 graded succeeded (88.9 %, 95 %
 * interval 80.7–93.9 %); 10 of 100 not graded (10 infra_error), with them 80.0–90.0 %`.
 */
export function describeRate(summary: RateSummary): string {
  const { successes, graded, ungraded, attempted, rate, interval, counts, bounds, confidence, refused } = summary;
  const level = `${Number((confidence * 100).toFixed(1))} %`;
  const parts = [`${successes} of ${graded} graded succeeded`];
  if (rate !== null && interval !== null)
    parts[0] += ` (${percent(rate)}, ${level} interval ${range(interval.low, interval.high)})`;
  if (ungraded > 0) {
    const why = ungradedOutcomes.flatMap((outcome) => (counts[outcome] > 0 ? [`${counts[outcome]} ${outcome}`] : []));
    parts.push(
      `${ungraded} of ${attempted} not graded (${why.join(", ")}), with them ${range(bounds.low, bounds.high)}`,
    );
  }
  if (refused !== null) parts.push(`no rate: ${refused}`);
  return parts.join("; ");
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const range = (low: number, high: number): string => `${(low * 100).toFixed(1)}–${(high * 100).toFixed(1)} %`;
