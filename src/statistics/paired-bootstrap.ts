import type { Interval } from "./proportion.ts";
import type { Random } from "./random.ts";

export type PairedBootstrap = Interval & {
  /** Mean of first minus second. */
  readonly difference: number;
  /** Share of the resamples whose difference is at most 0: evidence against "first is better", when small. */
  readonly shareNotAbove: number;
  readonly pairs: number;
  readonly resamples: number;
};

/**
 * The percentile bootstrap (Efron 1979) of a mean paired difference: pairs are resampled together, so what they share
 * (a task, a seed) cancels. The same random generator gives the same interval. Null when there are no pairs.
 */
export function pairedBootstrap(
  pairs: readonly (readonly [number, number])[],
  random: Random,
  options: { readonly confidence?: number; readonly resamples?: number } = {},
): PairedBootstrap | null {
  const { confidence = 0.95, resamples = 2000 } = options;
  if (!(confidence > 0 && confidence < 1)) throw new RangeError(`confidence must lie in (0, 1), not ${confidence}`);
  if (!Number.isSafeInteger(resamples) || resamples < 1)
    throw new RangeError(`resamples must be a positive count, not ${resamples}`);
  const differences = pairs.map(([first, second]) => {
    if (!Number.isFinite(first) || !Number.isFinite(second))
      throw new RangeError(`a pair holds finite numbers, not ${first} and ${second}`);
    return first - second;
  });
  const count = differences.length;
  if (count === 0) return null;
  const means = new Float64Array(resamples);
  for (let sample = 0; sample < resamples; sample++) {
    let sum = 0;
    for (let draw = 0; draw < count; draw++) sum += differences[random.integer(0, count - 1)] as number;
    means[sample] = sum / count;
  }
  means.sort();
  const tail = (1 - confidence) / 2;
  return {
    difference: differences.reduce((sum, value) => sum + value, 0) / count,
    low: quantile(means, tail),
    high: quantile(means, 1 - tail),
    shareNotAbove: means.filter((mean) => mean <= 0).length / resamples,
    pairs: count,
    resamples,
  };
}

/** Linear interpolation between order statistics (type 7 of Hyndman and Fan 1996). */
function quantile(sorted: Float64Array, probability: number): number {
  const position = (sorted.length - 1) * probability;
  const below = Math.floor(position);
  const low = sorted[below] as number;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number;
  return low + (high - low) * (position - below);
}
