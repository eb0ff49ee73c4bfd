import { ConfigError } from "../contract/index.ts";

/** What a setter may spend: how many it shall accept, how many it may propose for that, how many at a time. */
export type Budget = { readonly goal: number; readonly maximumCandidates: number; readonly concurrency: number };

/** The default allows one proposal in three to be rejected, and a few more for small goals. */
export function budgetFor(goal: number, concurrency: number, maximumCandidates = Math.ceil(goal * 1.5) + 10): Budget {
  for (const [field, value] of Object.entries({ goal, concurrency, maximumCandidates })) {
    if (!Number.isSafeInteger(value) || value < 1)
      throw new ConfigError({
        code: "bad_budget",
        message: `${field} must be a whole number of at least 1, not ${value}`,
      });
  }
  return { goal, maximumCandidates, concurrency };
}
