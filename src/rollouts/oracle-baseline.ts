import type { Task } from "../tasks/index.ts";
import type { Baseline } from "./attribution.ts";
import type { TrialResult } from "./trial-result.ts";

/** Where a trial asks what the oracle's result is worth, and tells what it found out itself. */
export interface BaselineSource {
  get(task: Task): Promise<Baseline>;
  put(task: Task, result: TrialResult): void;
}

/**
 * What the verifier says of the oracle's result, for each task and mode: computed when it is first asked for, once.
 * `runOracle` runs one trial of the oracle.
 */
export class OracleBaseline implements BaselineSource {
  readonly #runOracle: (task: Task) => Promise<TrialResult>;
  readonly #known = new Map<string, Promise<Baseline>>();

  constructor(runOracle: (task: Task) => Promise<TrialResult>) {
    this.#runOracle = runOracle;
  }

  get(task: Task): Promise<Baseline> {
    let known = this.#known.get(task.digest);
    if (!known) {
      known = task.solution === null ? Promise.resolve({ kind: "none" }) : this.#runOracle(task).then(baselineOf);
      this.#known.set(task.digest, known);
      // A fault of the machine says nothing of the task: the next one who asks tries again.
      void known.then(
        (baseline) => {
          if (baseline.kind === "ungraded" && baseline.outcome !== "task_error") this.#known.delete(task.digest);
        },
        () => this.#known.delete(task.digest),
      );
    }
    return known;
  }

  /** What a trial of the oracle that was run anyway says, so that it is not run again. */
  put(task: Task, result: TrialResult): void {
    const baseline = baselineOf(result);
    if (baseline.kind === "graded" || result.grading.outcome === "task_error")
      this.#known.set(task.digest, Promise.resolve(baseline));
  }
}

/** The checks that must hold for a success: R1…Rn of a task with requirements, else those that hold on the oracle's result. */
export async function expectedChecks(task: Task, baseline: BaselineSource | null): Promise<readonly string[] | null> {
  if (task.requirements) return task.requirements.requirements.map(({ id }) => id);
  const known = await baseline?.get(task);
  return known?.kind === "graded" ? known.checks : null;
}

function baselineOf({ grading, trajectory }: TrialResult): Baseline {
  const { verdict, cause } = grading;
  if (trajectory.outcome === "success" || trajectory.outcome === "failure")
    return {
      kind: "graded",
      checks: (verdict?.checks ?? []).filter(({ status }) => status === "passed").map(({ name }) => name),
    };
  return { kind: "ungraded", outcome: trajectory.outcome, cause: cause ?? { code: "unknown", message: "no cause" } };
}
