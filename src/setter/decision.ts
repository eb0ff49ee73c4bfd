import type { Outcome } from "../contract/index.ts";

/**
 * What was decided of a candidate, from counts. `stage` is the last stage that it reached; `reasons` name the gates
 * that it failed. `infrastructure` marks a candidate that nothing was found out about: it is neither good nor bad.
 */
export type Decision = {
  readonly index: number;
  readonly key: string;
  readonly accepted: boolean;
  readonly stage: "design" | "ground" | "gate" | "measure" | "decide";
  readonly reasons: readonly string[];
  /** `infra_error` when nothing was found out; `runs resume --only infra` takes exactly these again. */
  readonly outcome: Outcome;
  readonly warnings: number;
  readonly trials: number;
  /** Digest of the evidence (the gate report) in the blob store; null when there is none. */
  readonly evidence: string | null;
};
