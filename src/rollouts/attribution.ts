// Who caused an outcome: the agent's work, the task, or the machine. Decided from what was raised and from what the
// same verifier does with the oracle's result.
import {
  ArtefactError,
  type Cause,
  EngineError,
  EnvironmentError,
  type Grading,
  ModelError,
  type Outcome,
  RoutesetterError,
  SandboxError,
  TaskFormatError,
  type Verdict,
  VerifierError,
} from "../contract/index.ts";

/** What the verifier says of the oracle's result. */
export type Baseline =
  | { readonly kind: "graded"; readonly checks: readonly string[] }
  | { readonly kind: "ungraded"; readonly outcome: Exclude<Outcome, "success" | "failure">; readonly cause: Cause }
  /** There is no oracle, so nothing can be compared. */
  | { readonly kind: "none" };

/** An error of a trial. `cancelled` says that somebody stopped it. Pure. */
export function attributeError(error: unknown, options: { cancelled: boolean; baseline: Baseline }): Grading {
  if (options.cancelled) return ungraded("cancelled", { code: "cancelled", message: "the trial was stopped" });
  const cause = causeOf(error);
  if (SandboxError.isInstance(error) || EngineError.isInstance(error) || ModelError.isInstance(error))
    return ungraded("infra_error", cause);
  if (ArtefactError.isInstance(error)) return failed({ code: "artefact_refused", message: cause.message });
  if (TaskFormatError.isInstance(error) || EnvironmentError.isInstance(error)) return ungraded("task_error", cause);
  if (!VerifierError.isInstance(error)) {
    const code = RoutesetterError.isInstance(error) ? error.code : "internal_error";
    return ungraded("infra_error", { ...cause, code });
  }
  const { baseline } = options;
  if (baseline.kind === "graded") return failed(cause);
  if (baseline.kind === "ungraded" && baseline.outcome !== "task_error")
    return ungraded(baseline.outcome, {
      code: baseline.cause.code,
      message: `the oracle's result could not be verified for comparison: ${baseline.cause.message}`,
    });
  const why = baseline.kind === "none" ? "there is no oracle to compare with" : "so it does on the oracle's result";
  return ungraded("task_error", { ...cause, message: `${cause.message} (${why})` });
}

/** A verdict. `expected` are the checks that must hold for a success, null when they aren't known. Pure. */
export function attributeVerdict(
  verdict: Verdict,
  options: { expected: readonly string[] | null; limit: Cause | null },
): Grading {
  if (verdict.success) {
    const held = new Set(
      verdict.checks
        .filter(({ status }) => status === "passed")
        .flatMap(({ name, requirement }) => (requirement ? [name, requirement] : [name])),
    );
    const missing = (options.expected ?? []).filter((name) => !held.has(name));
    if (missing.length === 0) return { outcome: "success", verdict, cause: null };
    const details = { ...verdict.details, reported_score: verdict.score, missing_checks: missing.slice(0, 100) };
    return {
      outcome: "failure",
      verdict: { ...verdict, success: false, score: 0, details },
      cause: {
        code: "checks_missing",
        message: `full reward, but ${missing.length} of the checks that hold on the oracle's result did not run or did not hold: ${some(missing)}`,
      },
    };
  }
  return { outcome: "failure", verdict, cause: causeOfFailure(verdict, options.limit) };
}

function causeOfFailure(verdict: Verdict, limit: Cause | null): Cause {
  const told = verdict.details?.cause as { code?: unknown; message?: unknown } | undefined;
  if (typeof told?.code === "string") return { code: told.code, message: String(told.message ?? "") };
  if (limit) return limit;
  if (verdict.attacks?.length)
    return { code: "reward_forged", message: `the work does not earn the reward; found: ${some(verdict.attacks)}` };
  const failed = verdict.checks.filter(({ status }) => status !== "passed" && status !== "skipped");
  return {
    code: "wrong_result",
    message: failed.length > 0 ? `failed: ${some(failed.map(({ name }) => name))}` : `score ${verdict.score}`,
  };
}

function causeOf(error: unknown): Cause {
  if (!RoutesetterError.isInstance(error))
    return { code: "internal_error", message: error instanceof Error ? error.message : String(error) };
  const limit = error.details.limit;
  return {
    code: error.code === "reward_missing" ? "verifier_crash" : error.code,
    message: error.message,
    ...(typeof limit === "number" ? { limit } : {}),
  };
}

const failed = (cause: Cause): Grading => ({
  outcome: "failure",
  verdict: {
    success: false,
    score: 0,
    rewards: {},
    checks: [],
    details: { cause: { code: cause.code, message: cause.message } },
  },
  cause,
});

const ungraded = (outcome: Outcome, cause: Cause): Grading => ({ outcome, verdict: null, cause });

const some = (names: readonly string[]) =>
  names.slice(0, 5).join(", ") + (names.length > 5 ? ` and ${names.length - 5} more` : "");
