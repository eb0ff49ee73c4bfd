import { inverseRegularisedBeta } from "./beta-function.ts";
import { criticalValue } from "./normal-quantile.ts";

export type Interval = { readonly low: number; readonly high: number };

/**
 * Wilson's score interval of a proportion (Wilson 1927; method 3 of Newcombe 1998, Statistics in Medicine 17:857).
 * With no trials it is [0, 1].
 */
export function wilson(successes: number, trials: number, confidence = 0.95): Interval {
  checkCounts(successes, trials);
  const z = criticalValue(confidence);
  if (trials === 0) return { low: 0, high: 1 };
  const rate = successes / trials;
  const z2 = z * z;
  const centre = 2 * trials * rate + z2;
  const spread = z * Math.sqrt(z2 + 4 * trials * rate * (1 - rate));
  const scale = 2 * (trials + z2);
  return {
    low: successes === 0 ? 0 : Math.min(rate, (centre - spread) / scale),
    high: successes === trials ? 1 : Math.max(rate, (centre + spread) / scale),
  };
}

/** The exact interval of Clopper and Pearson (1934): it covers at least with the confidence asked for. */
export function clopperPearson(successes: number, trials: number, confidence = 0.95): Interval {
  checkCounts(successes, trials);
  if (!(confidence > 0 && confidence < 1)) throw new RangeError(`confidence must lie in (0, 1), not ${confidence}`);
  const tail = (1 - confidence) / 2;
  const failures = trials - successes;
  return {
    low: successes === 0 ? 0 : inverseRegularisedBeta(tail, successes, failures + 1),
    high: failures === 0 ? 1 : inverseRegularisedBeta(1 - tail, successes + 1, failures),
  };
}

/**
 * The interval of a difference of two independent proportions, first minus second (Newcombe 1998, Statistics in
 * Medicine 17:873, method 10: square-and-add of two Wilson intervals). With no trials on a side that side knows nothing.
 */
export function newcombe(
  first: { readonly successes: number; readonly trials: number },
  second: { readonly successes: number; readonly trials: number },
  confidence = 0.95,
): Interval & { readonly difference: number | null } {
  const one = wilson(first.successes, first.trials, confidence);
  const two = wilson(second.successes, second.trials, confidence);
  if (first.trials === 0 || second.trials === 0)
    return { difference: null, low: one.low - two.high, high: one.high - two.low };
  const p1 = first.successes / first.trials;
  const p2 = second.successes / second.trials;
  const difference = p1 - p2;
  return {
    difference,
    low: Math.max(-1, difference - Math.hypot(p1 - one.low, two.high - p2)),
    high: Math.min(1, difference + Math.hypot(one.high - p1, p2 - two.low)),
  };
}

export function checkCounts(successes: number, trials: number): void {
  if (!Number.isSafeInteger(trials) || trials < 0) throw new RangeError(`trials must be a count, not ${trials}`);
  if (!Number.isSafeInteger(successes) || successes < 0 || successes > trials)
    throw new RangeError(`successes must be a count of at most ${trials}, not ${successes}`);
}
