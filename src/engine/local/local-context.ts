import {
  ConfigError,
  canonicalJson,
  EngineError,
  type Flow,
  type Json,
  type RunContext,
  type RunEvent,
  type StepPolicy,
} from "../../contract/index.ts";
import { Random } from "../../statistics/index.ts";
import type { ActiveRun } from "./active-run.ts";
import type { Limits } from "./limits.ts";
import { runAll } from "./run-all.ts";
import { blame, runStep, type StepWork } from "./run-step.ts";
import { Scope, scopes } from "./scope.ts";
import { wait } from "./wait.ts";

/** What a flow of the local engine holds. A child flow's context puts the child's key before every key. */
export class LocalContext implements RunContext {
  readonly runId: string;
  readonly signal: AbortSignal;
  readonly #run: ActiveRun;
  readonly #limits: Limits;
  readonly #prefix: string;
  readonly scope: Scope;

  constructor(run: ActiveRun, limits: Limits, prefix = "") {
    this.runId = run.row.id;
    this.signal = run.signal;
    this.#run = run;
    this.#limits = limits;
    this.#prefix = prefix;
    this.scope = new Scope(run.row.number, prefix);
  }

  async step<T extends Json | undefined | void>(
    key: string,
    work: (attempt: { number: number; signal: AbortSignal }) => Promise<T>,
    policy: StepPolicy = {},
  ): Promise<T> {
    return (await runStep(this.#run, this.#limits, this.#prefix + key, work as StepWork, policy)) as T;
  }

  async all<I, T>(
    items: Iterable<I> | AsyncIterable<I>,
    work: (item: I, index: number) => Promise<T>,
    options: {
      key: string;
      concurrency: number;
      onComplete?: (result: T, item: I, index: number) => void | Promise<void>;
      collect?: boolean;
    },
  ): Promise<T[]> {
    const run = this.#run;
    const { concurrency, onComplete, collect = true } = options;
    if (!Number.isInteger(concurrency) || concurrency < 1)
      throw new ConfigError({
        code: "concurrency_invalid",
        message: `${JSON.stringify(options.key)} has concurrency ${concurrency}`,
        remedy: "give it a whole number from 1",
      });
    const key = this.#prefix + options.key;
    const { row, isNew } = run.ask(key, "all", null);
    const window = isNew ? concurrency : (JSON.parse(row.result as string) as { window: number }).window;
    if (isNew) run.durably(() => run.journal.writeStep({ ...row, attempts: 1, result: JSON.stringify({ window }) }));
    run.settle(key);
    const results: T[] = [];
    const completing = new Scope(run.row.number, `${key}@complete`);
    await runAll<I, T>({
      key,
      items,
      work: (item, index) => scopes.run(new Scope(run.row.number, `${key}/${index}`), async () => work(item, index)),
      workers: onComplete ? Math.min(concurrency, window) : concurrency,
      window: onComplete ? window : concurrency,
      order: onComplete ? run.journal.order(run.row.number, row.ordinal) : null,
      record: (position, index) => {
        if (onComplete) run.durably(() => run.journal.recordCompletion(run.row.number, row.ordinal, position, index));
      },
      deliver: async (result, item, index) => {
        if (collect) results[index] = result;
        if (onComplete) await scopes.run(completing, async () => onComplete(result, item, index));
      },
      ended: () => run.fatal,
      joined: (joint, parts) => {
        for (const part of parts)
          if (typeof part === "object" && part !== null)
            for (const cause of run.causes.get(part) ?? []) blame(run, joint, cause);
      },
    });
    if (row.status !== "done")
      run.durably(() =>
        run.journal.writeStep({
          ...row,
          attempts: 1,
          status: "done",
          finished_at: run.journal.store.clock(),
          result: JSON.stringify({ window }),
        }),
      );
    return results;
  }

  async sleep(key: string, milliseconds: number): Promise<void> {
    const { clock } = this.#run.journal.store;
    const until = await this.step(key, async () => clock() + milliseconds, { stage: "sleep" });
    const rest = until - clock();
    if (rest > 0) await wait(rest, this.signal);
  }

  async child<I extends Json, O extends Json>(key: string, flow: Flow<I, O>, input: I): Promise<O> {
    const run = this.#run;
    const path = this.#prefix + key;
    const identity = canonicalJson({ flow: flow.name, version: flow.version, input });
    const { row, isNew } = run.ask(path, "child", null);
    const kept = await run.kept(identity, `child ${JSON.stringify(path)}`);
    if (isNew) run.durably(() => run.journal.writeStep({ ...row, attempts: 1, result: kept.result, blob: kept.blob }));
    else if (row.result !== kept.result || row.blob !== kept.blob)
      throw run.fail(
        new EngineError({
          code: "flow_version_changed",
          message: `child ${JSON.stringify(path)} of run ${run.row.id} was journalled with another flow, version or input than ${flow.name} version ${flow.version} has now`,
          remedy: "start a new run, or resume this one with the program that began it",
          details: { key: path },
        }),
      );
    run.settle(path);
    const context = new LocalContext(run, this.#limits, `${path}/`);
    const output = await scopes.run(context.scope, async () => flow.run(context, input));
    if (row.status !== "done")
      run.durably(() =>
        run.journal.writeStep({
          ...row,
          attempts: 1,
          status: "done",
          finished_at: run.journal.store.clock(),
          result: kept.result,
          blob: kept.blob,
        }),
      );
    return output;
  }

  now(key: string): Promise<number> {
    return this.step(key, async () => this.#run.journal.store.clock(), { stage: "now" });
  }

  random(key: string): number {
    return new Random(`${this.#run.row.seed}/${this.#prefix}${key}`).next();
  }

  emit(event: RunEvent): void {
    this.#run.emit(event, this.scope);
  }
}
