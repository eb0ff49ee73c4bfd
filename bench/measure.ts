/** What a benchmark gives: samples of one quantity. `better` says which side of the goal holds. */
export type Measure = {
  readonly id: string;
  readonly unit: string;
  readonly samples: readonly number[];
  readonly goal: number;
  readonly better?: "lower" | "higher";
  /** A peer measured side by side in the same run. */
  readonly baseline?: { readonly name: string; readonly samples: readonly number[] };
  /** How many times better than the peer it has to be. */
  readonly ratioGoal?: number;
};

export function quantile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const low = sorted[Math.floor(position)] ?? Number.NaN;
  const high = sorted[Math.ceil(position)] ?? Number.NaN;
  return low + (high - low) * (position - Math.floor(position));
}

const round = (value: number): number => Number(value.toPrecision(4));

/** The published form of a measure: median, spread, ratio to the peer, whether the goal holds. */
export function summary({ id, unit, samples, goal, better = "lower", baseline, ratioGoal }: Measure) {
  const median = quantile(samples, 0.5);
  const peer = baseline && baseline.samples.length > 0 ? quantile(baseline.samples, 0.5) : null;
  const ratio = peer === null ? null : better === "lower" ? peer / median : median / peer;
  const inGoal = better === "lower" ? median <= goal : median >= goal;
  return {
    id,
    unit,
    median: round(median),
    p10: round(quantile(samples, 0.1)),
    p90: round(quantile(samples, 0.9)),
    samples: samples.length,
    ...(baseline && peer !== null ? { baseline: { name: baseline.name, median: round(peer) } } : {}),
    ...(ratio === null ? {} : { ratio: round(ratio) }),
    goal: `${better === "lower" ? "≤" : "≥"} ${goal} ${unit}${ratioGoal === undefined ? "" : `, ≥ ${ratioGoal} times the peer`}`,
    holds: inGoal && (ratioGoal === undefined || ratio === null || ratio >= ratioGoal),
  };
}
