import { checkCounts } from "./proportion.ts";

/** `value` is null when it can't be known; then `reason` says why. */
export type PassAtK =
  | { readonly value: number; readonly reason: null }
  | { readonly value: null; readonly reason: string };

/**
 * The probability that at least one of k attempts succeeds, unbiased from c successes in n attempts (Chen et al. 2021,
 * equation 1: 1 - C(n-c, k) / C(n, k)). Null with a reason when n < k.
 */
export function passAtK(attempts: number, successes: number, k: number): PassAtK {
  checkCounts(successes, attempts);
  if (!Number.isSafeInteger(k) || k < 1) throw new RangeError(`k must be a positive count, not ${k}`);
  if (attempts < k) return { value: null, reason: `${attempts} attempts are fewer than k = ${k}` };
  if (attempts - successes < k) return { value: 1, reason: null };
  let allFail = 1;
  for (let index = 0; index < k; index++) allFail *= (attempts - successes - index) / (attempts - index);
  return { value: 1 - allFail, reason: null };
}

/**
 * The mean of pass@k over groups (tasks), each with attempts of its own. Groups with fewer attempts than k are left out
 * and counted; null when none is left.
 */
export function meanPassAtK(
  groups: readonly { readonly attempts: number; readonly successes: number }[],
  k: number,
): PassAtK & { readonly groups: number; readonly leftOut: number } {
  const values = groups.flatMap(({ attempts, successes }) => passAtK(attempts, successes, k).value ?? []);
  const counts = { groups: values.length, leftOut: groups.length - values.length };
  if (groups.length === 0) return { value: null, reason: "there are no groups", ...counts };
  if (values.length === 0)
    return { value: null, reason: `none of ${groups.length} groups has k = ${k} attempts`, ...counts };
  return { value: values.reduce((sum, value) => sum + value, 0) / values.length, reason: null, ...counts };
}
