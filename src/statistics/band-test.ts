import { logBeta } from "./beta-function.ts";
import { checkCounts, type Interval } from "./proportion.ts";

export type BandDecision = "in" | "below" | "above" | "continue";
export type Band = { readonly low: number; readonly high: number };

/**
 * A sequential test of "does the success rate lie inside the band?". It may be asked after every trial and stopped at
 * any moment: whatever the rate, the probability of ever getting a wrong `in`, `below` or `above` is at most `error`.
 * That holds because a wrong answer needs the true rate to leave the confidence sequence of `confidenceSequence`
 * (Robbins 1970; Ville's inequality for the Beta(1/2, 1/2) mixture of likelihood ratios). A rate that lies on an end of
 * the band is never decided but by that error, so callers bound the number of trials. An end at 0 or 1 is no end.
 */
export function bandTest(successes: number, trials: number, band: Band, error = 0.05): BandDecision {
  checkCounts(successes, trials);
  checkError(error);
  const { low, high } = band;
  if (!(low >= 0 && high <= 1 && low < high)) throw new RangeError(`[${low}, ${high}] is no band inside [0, 1]`);
  if (trials === 0) return low === 0 && high === 1 ? "in" : "continue";
  const rate = successes / trials;
  const excludes = (end: number) => logEvidenceAgainst(end, successes, trials) >= -Math.log(error);
  const isLowOut = low === 0 || excludes(low);
  const isHighOut = high === 1 || excludes(high);
  if (rate < low) return isLowOut ? "below" : "continue";
  if (rate > high) return isHighOut ? "above" : "continue";
  return isLowOut && isHighOut ? "in" : "continue";
}

/**
 * An interval for the rate that holds at all numbers of trials at once, with probability at least 1 - error. Wider than
 * `wilson`, and the one to use when the number of trials depends on what was seen.
 */
export function confidenceSequence(successes: number, trials: number, error = 0.05): Interval {
  checkCounts(successes, trials);
  checkError(error);
  if (trials === 0) return { low: 0, high: 1 };
  const rate = successes / trials;
  const limit = -Math.log(error);
  const edge = (outside: number): number => {
    let out = outside;
    let inside = rate;
    for (let round = 0; round < 60; round++) {
      const middle = (out + inside) / 2;
      if (logEvidenceAgainst(middle, successes, trials) >= limit) out = middle;
      else inside = middle;
    }
    return out;
  };
  return { low: successes === 0 ? 0 : edge(0), high: successes === trials ? 1 : edge(1) };
}

/** The logarithm of the mixture's likelihood over that of this rate: a martingale that starts at 0 if the rate is true. */
export function logEvidenceAgainst(rate: number, successes: number, trials: number): number {
  const failures = trials - successes;
  const mixture = logBeta(0.5 + successes, 0.5 + failures) - logBeta(0.5, 0.5);
  const own = (successes === 0 ? 0 : successes * Math.log(rate)) + (failures === 0 ? 0 : failures * Math.log1p(-rate));
  return mixture - own;
}

function checkError(error: number): void {
  if (!(error > 0 && error < 1)) throw new RangeError(`error must lie in (0, 1), not ${error}`);
}
