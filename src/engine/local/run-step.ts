import { EngineError, type Json, RoutesetterError, type StepPolicy } from "../../contract/index.ts";
import { storageError } from "../../store/index.ts";
import type { ActiveRun } from "./active-run.ts";
import type { StepRow } from "./journal.ts";
import type { Limits } from "./limits.ts";
import { Scope, scopes } from "./scope.ts";
import { restoreError, storeError } from "./stored-error.ts";
import { wait } from "./wait.ts";

const longestWaitMilliseconds = 60_000;

export type StepWork = (attempt: { number: number; signal: AbortSignal }) => Promise<unknown>;

/** One step: its journalled result, or its work done under the policy and then journalled. */
export async function runStep(
  run: ActiveRun,
  limits: Limits,
  key: string,
  work: StepWork,
  policy: StepPolicy,
): Promise<Json | undefined> {
  const { row } = run.ask(key, "step", policy.stage ?? policy.queue ?? null);
  if (row.status === "done") {
    await run.breathe();
    return run.value(row);
  }
  if (row.status === "failed") throw blame(run, restoreError(row.error as string, run.journal.store.file), key);
  try {
    return await new Step(run, limits, key, work, policy, row).perform();
  } finally {
    run.settle(key);
  }
}

/** Remembers which step an error comes from. */
export function blame<E>(run: ActiveRun, error: E, key: string): E {
  if (typeof error !== "object" || error === null) return error;
  const keys = run.causes.get(error);
  if (keys) keys.add(key);
  else run.causes.set(error, new Set([key]));
  return error;
}

/** A full disk that a step's own work met is the host's fault too. */
function diskError(error: unknown, stateFile: string): unknown {
  const { dest, path = stateFile } = (error ?? {}) as { dest?: string; path?: string };
  return RoutesetterError.isInstance(error) ? error : storageError(error, dest ?? path);
}

class Step {
  readonly #run: ActiveRun;
  readonly #limits: Limits;
  readonly #key: string;
  readonly #work: StepWork;
  readonly #policy: StepPolicy;
  /** The row as the journal has it, or would have it. */
  #row: StepRow;

  constructor(run: ActiveRun, limits: Limits, key: string, work: StepWork, policy: StepPolicy, row: StepRow) {
    this.#run = run;
    this.#limits = limits;
    this.#key = key;
    this.#work = work;
    this.#policy = policy;
    this.#row = row;
  }

  async perform(): Promise<Json | undefined> {
    const retries = this.#policy.retries ?? 0;
    for (let retry = 0; ; retry++) {
      const outcome = await this.#attempt();
      if ("text" in outcome) return outcome.text === null ? undefined : (JSON.parse(outcome.text) as Json);
      const error = diskError(outcome.error, this.#run.journal.store.file);
      this.#run.throwIfEnded();
      if (EngineError.isInstance(error) && error.details.infrastructure === true) throw this.#run.fail(error);
      const isLast = retry >= retries || !(RoutesetterError.isInstance(error) && error.isRetryable);
      const failed: StepRow = {
        ...this.#row,
        status: isLast ? "failed" : "running",
        finished_at: this.#run.journal.store.clock(),
        error: storeError(error),
      };
      this.#row = failed;
      this.#run.durably(() => this.#run.journal.writeStep(failed, outcome.events));
      if (isLast) throw blame(this.#run, error, this.#key);
      await wait(this.#backoff(retry), this.#run.signal);
    }
  }

  #backoff(retry: number): number {
    return Math.min((this.#policy.retryWaitMilliseconds ?? 200) * 2 ** retry, longestWaitMilliseconds);
  }

  async #attempt(): Promise<{ text: string | null } | { error: unknown; events: Scope["pending"] & object }> {
    const run = this.#run;
    const release = await this.#limits.enter(this.#policy, run.signal);
    if (run.fatal) {
      release?.();
      throw run.fatal.reason;
    }
    const earlier = this.#row.attempts > 0 && this.#row.status !== "forgotten" ? this.#row : null;
    const row: StepRow = {
      ...this.#row,
      stage: this.#policy.stage ?? this.#policy.queue ?? null,
      status: "running",
      attempts: this.#row.attempts + 1,
      started_at: run.journal.store.clock(),
      finished_at: null,
      error: null,
    };
    if (earlier) {
      const outcome = earlier.status === "running" && earlier.error === null ? "interrupted" : "failed";
      run.durably(() => run.journal.writeStep(row, [], { row: earlier, outcome }));
    }
    this.#row = row;
    const scope = new Scope(run.row.number, `${this.#key}#${row.attempts}`, true);
    const entry = run.begin(this.#key, row);
    entry.isWritten = earlier !== null;
    try {
      const value = await scopes.run(
        scope,
        () =>
          new Promise<unknown>((resolve, reject) => {
            entry.abandon = reject;
            this.#work({ number: row.attempts, signal: run.signal }).then(resolve, reject);
          }),
      );
      const { text, result, blob } = await run.kept(value, `step ${JSON.stringify(this.#key)}`);
      if (run.isFailed) run.throwIfEnded();
      const events = scope.pending ?? [];
      run.durably(() =>
        run.journal.writeStep({ ...row, status: "done", finished_at: run.journal.store.clock(), result, blob }, events),
      );
      return { text };
    } catch (error) {
      return { error, events: scope.pending ?? [] };
    } finally {
      scope.pending = null;
      run.inFlight.delete(this.#key);
      release?.();
    }
  }
}
