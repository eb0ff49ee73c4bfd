import type { FileChange, Grading, Trajectory } from "../contract/index.ts";

export type TrialTimings = {
  /** Milliseconds: image and sandbox, the agent's work, the verification. */
  readonly setup: number;
  readonly agent: number;
  readonly verifier: number;
};

export type TrialResult = {
  readonly trajectory: Trajectory;
  readonly grading: Grading;
  /** Measured: differs from run to run. */
  readonly timings: TrialTimings;
  /** Exit status of the solution's script; null when none ran or a limit ended it. */
  readonly scriptExit: number | null;
  /** What the agent changed against the image; null when it wasn't asked for or can't be told. */
  readonly changes: readonly FileChange[] | null;
};
