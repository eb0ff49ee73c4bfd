import type { Cause, Check, FileChange, Outcome, VerificationMode } from "../contract/index.ts";

/** Which trial a gate asks for. Trials with the same key are run once and shared. `repeat` 0 is the plain one. */
export type TrialPlan = {
  readonly agent: "oracle" | "nop" | "partial";
  /** A partial's name. */
  readonly partial?: string;
  readonly repeat: number;
};

/** `oracle`, `nop`, `partial_x`, and `oracle#2` for a repeat. */
export const trialKey = ({ agent, partial, repeat }: TrialPlan): string =>
  `${partial ?? agent}${repeat === 0 ? "" : `#${repeat}`}`;

/** How a trial was run. `network`: none at all, as declared for the agent only, or as declared for the verifier too. */
export type Surroundings = { readonly mode: VerificationMode; readonly network: "none" | "agent" | "declared" };

/** What a gate gets to know of a trial: nothing that differs between two runs of the same inputs but `seconds`. */
export type Trial = {
  readonly key: string;
  readonly outcome: Outcome;
  /** null when the verifier gave none. */
  readonly score: number | null;
  readonly rewards: Readonly<Record<string, number>>;
  /** Empty when the verifier reports nothing but its reward. */
  readonly checks: readonly Check[];
  readonly cause: Cause | null;
  readonly attacks: readonly string[];
  readonly surroundings: Surroundings;
  /** Exit status of the solution's script; null when none ran or a limit ended it. */
  readonly scriptExit: number | null;
  /** What the agent's work changed in the image's files; null when it wasn't looked at. */
  readonly changes: readonly FileChange[] | null;
  /** Measured, so kept out of reports. */
  readonly seconds: { readonly agent: number; readonly verifier: number };
};

/** The trial never got as far as to say something of the task. */
export const isInfrastructure = (trial: Trial): boolean =>
  trial.outcome === "infra_error" || trial.outcome === "cancelled";

/** The trial's outcome in a few words: `oracle: reward 0 (time_limit)`. */
export const briefTrial = ({ key, score, outcome, cause }: Trial): string => {
  const because = cause === null || cause.code === "wrong_result" ? "" : ` (${cause.code})`;
  return `${key}: ${score === null ? outcome : `reward ${score}`}${because}`;
};

/** The same with what was said about it. */
export const describeTrial = (trial: Trial): string => {
  const { cause } = trial;
  return cause === null || cause.code === "wrong_result"
    ? briefTrial(trial)
    : `${briefTrial(trial)}: ${stableText(cause.message.replace(/ → .*$/s, ""))}`;
};

/**
 * A verifier's message without what changes from run to run: addresses, durations, temporary names, process ids. Cut
 * to its first lines.
 */
export function stableText(text: string): string {
  const stable = text
    .replace(/0x[0-9a-f]{4,}/gi, "0x…")
    .replace(/\b\d+\.\d+ ?(ms|milliseconds?|seconds?|s)\b/g, "… $1")
    .replace(/\/tmp\/[\w./-]+/g, "/tmp/…")
    .replace(/\bpid[ =:]*\d+/gi, "pid …")
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?/g, "…")
    .split("\n")
    .slice(0, 4)
    .join(" / ")
    .trim();
  return stable.length > 300 ? `${stable.slice(0, 299)}…` : stable;
}
