import type { Decision } from "./decision.ts";

/** How many candidates came how far, and what stopped the others. */
export type Funnel = {
  readonly proposed: number;
  readonly duplicates: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly ungraded: number;
  readonly warnings: number;
  readonly trials: number;
  readonly rejectedBy: Readonly<Record<string, number>>;
};

/** Counts decisions; the order in which they were made doesn't matter. */
export function funnelOf(decisions: Iterable<Decision>): Funnel {
  const funnel = { proposed: 0, duplicates: 0, accepted: 0, rejected: 0, ungraded: 0, warnings: 0, trials: 0 };
  const rejectedBy: Record<string, number> = {};
  for (const decision of decisions) {
    funnel.proposed++;
    funnel.warnings += decision.warnings;
    funnel.trials += decision.trials;
    if (decision.accepted) funnel.accepted++;
    else if (decision.reasons.includes("duplicate")) funnel.duplicates++;
    else if (decision.outcome === "infra_error" || decision.outcome === "cancelled") funnel.ungraded++;
    else funnel.rejected++;
    if (!decision.accepted) for (const reason of decision.reasons) rejectedBy[reason] = (rejectedBy[reason] ?? 0) + 1;
  }
  const sorted = Object.fromEntries(Object.entries(rejectedBy).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { ...funnel, rejectedBy: sorted };
}
