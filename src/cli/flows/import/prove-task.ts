import { RoutesetterError, TaskFormatError } from "../../../contract/index.ts";
import { sandboxTrials, type Trial } from "../../../gates/index.ts";
import type { Turn } from "../../../rollouts/index.ts";
import type { Task } from "../../../tasks/index.ts";
import type { Workshop } from "../../workshop.ts";
import { isOfTheDistribution } from "./distribution.ts";
import { bareMessage, type ImportedReason } from "./imported.ts";

export type Proof = {
  readonly trial: Trial | null;
  readonly base: string | null;
  readonly reason: ImportedReason | null;
  readonly trials: number;
};

export type ProofOptions = {
  readonly workshop: Workshop;
  readonly seed: number;
  readonly turn: Turn;
  readonly signal: AbortSignal;
  readonly variables: Readonly<Record<string, string>>;
};

/**
 * Runs the oracle from the strongest verification down; says whose fault it is when it never earns everything. `fetches`
 * says that the verifier fetches its tools: that it could not is no fault of the task's.
 */
export async function proveTask(task: Task, options: ProofOptions, fetches: boolean): Promise<Proof> {
  const { workshop, seed, turn, signal, variables } = options;
  let trials = 0;
  const counted: Turn = (work) => {
    trials++;
    return turn(work);
  };
  const { backend, images } = workshop;
  const sourceOf = (one: Task) => sandboxTrials(one, { backend, images, seed, turn: counted, signal, variables });
  let base: string | null = null;
  try {
    const source = sourceOf(task);
    const { provenance } = await source.image();
    base = `${provenance.how}: ${provenance.note ?? provenance.base}`;
    const oracle = { agent: "oracle", repeat: 0 } as const;
    const sealed = declaresWork(task) ? await sourceOf(asSealed(task)).trial(oracle, null) : null;
    const trial = sealed?.outcome === "success" ? sealed : await source.trial(oracle, null);
    signal.throwIfAborted();
    return { trial, base, reason: trial.outcome === "success" ? null : reasonOf(trial, fetches), trials };
  } catch (error) {
    signal.throwIfAborted();
    if (!RoutesetterError.isInstance(error)) throw error;
    return { trial: null, base, reason: reasonOfError(error, task), trials };
  }
}

/** Work that is declared may be carried over to a sealed verifier; gates try that for tasks with requirements only. */
const declaresWork = ({ configuration, requirements }: Task): boolean =>
  requirements === null && configuration.artifacts.length > 0;
const asSealed = (task: Task): Task => ({
  ...task,
  configuration: { ...task.configuration, metadata: { ...task.configuration.metadata, verification: "sealed" } },
});

function reasonOf({ outcome, score, cause, checks }: Trial, fetches: boolean): ImportedReason {
  const failed = checks.filter(({ status }) => status === "failed" || status === "error").map(({ name }) => name);
  const what = cause?.message ?? `the oracle earns ${score}`;
  const message = failed.length > 0 ? `${what} (${failed.slice(0, 5).join(", ")})` : what;
  const whose = outcome === "infra_error" || (fetches && cause?.code === "verifier_tools_missing") ? "machine" : "task";
  return {
    code: cause?.code ?? "oracle_below_maximum",
    message,
    whose: whose === "task" && isOfTheDistribution(message) ? "distribution" : whose,
    remedy:
      whose === "machine"
        ? "see what it needs; its verdict is neither 0 nor 1"
        : "repair the solution or the tests; routesetter check shows more",
  };
}

const recipeFaults = new Set(["image_build_failed", "dockerfile_invalid"]);

function reasonOfError(error: RoutesetterError, task: Task): ImportedReason {
  const { code } = error;
  const { file, line, field } = error.where;
  const own = TaskFormatError.isInstance(error) || recipeFaults.has(code);
  const log = typeof error.details.log === "string" ? error.details.log : "";
  const distribution = own && isOfTheDistribution(`${error.message}\n${log}`);
  return {
    code,
    message: bareMessage(error),
    ...(file === undefined ? {} : { file: file.replace(`${task.directory}/`, "") }),
    ...(line === undefined ? {} : { line }),
    ...(field === undefined ? {} : { field }),
    remedy: error.remedy,
    whose: distribution ? "distribution" : own ? "task" : "machine",
  };
}
