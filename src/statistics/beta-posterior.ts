import { inverseRegularisedBeta, regularisedBeta } from "./beta-function.ts";
import { checkCounts, type Interval } from "./proportion.ts";

/** What is known of a success rate after some trials: a Beta distribution. */
export type BetaPosterior = {
  readonly alpha: number;
  readonly beta: number;
  readonly mean: number;
  /** The rate below which the probability lies. */
  quantile(probability: number): number;
  /** The equal-tailed interval that holds the rate with this probability. */
  credible(mass?: number): Interval;
  /** The probability that the rate is at most this. */
  below(rate: number): number;
};

/** The posterior of a rate under a Beta prior: Jeffreys' Beta(1/2, 1/2) unless one is given. */
export function betaPosterior(
  successes: number,
  trials: number,
  prior: { readonly alpha: number; readonly beta: number } = { alpha: 0.5, beta: 0.5 },
): BetaPosterior {
  checkCounts(successes, trials);
  for (const value of [prior.alpha, prior.beta])
    if (!(value > 0) || !Number.isFinite(value))
      throw new RangeError(`a prior's parameters are positive, not ${value}`);
  const alpha = prior.alpha + successes;
  const beta = prior.beta + trials - successes;
  const quantile = (probability: number) => inverseRegularisedBeta(probability, alpha, beta);
  return {
    alpha,
    beta,
    mean: alpha / (alpha + beta),
    quantile,
    credible(mass = 0.95) {
      if (!(mass > 0 && mass < 1)) throw new RangeError(`mass must lie in (0, 1), not ${mass}`);
      return { low: quantile((1 - mass) / 2), high: quantile((1 + mass) / 2) };
    },
    below: (rate) => regularisedBeta(Math.min(1, Math.max(0, rate)), alpha, beta),
  };
}
