// The engine that needs no server: flows run in this process, over the journal in the project's database.
import { setMaxListeners } from "node:events";
import {
  ConfigError,
  canonicalJson,
  type Engine,
  EngineError,
  type Flow,
  type Json,
  type RunHandle,
  type RunRecord,
} from "../../contract/index.ts";
import { type Store, storedJson } from "../../store/index.ts";
import { ActiveRun, type LiveEvent } from "./active-run.ts";
import { executeRun } from "./execute-run.ts";
import { Journal, type RunRow } from "./journal.ts";
import { Limits } from "./limits.ts";
import { forgetCauses, redoSteps } from "./redo-steps.ts";
import { leaseIsLive, recordOf, runRows } from "./run-record.ts";
import { restoreError, storeError } from "./stored-error.ts";

const pollMilliseconds = 200;
let engines = 0;

export type LocalEngineOptions = {
  /** Open for writing; the engine doesn't close it. */
  readonly store: Store;
  /** Slots by resource, shared by all runs. */
  readonly queues?: Readonly<Record<string, number>>;
  /** Called for every event as it happens, but not again for what a resumed run repeats. What it throws is dropped. */
  readonly onEvent?: (event: LiveEvent) => void;
  /** How long a cancelled run's steps may take to notice, before they are left behind. Default 30 s. */
  readonly graceMilliseconds?: number;
};

type AnyFlow = Flow<Json, Json>;
type Running = { readonly run: ActiveRun; readonly result: Promise<Json> };

/** Opens the local engine over a store that this process owns. */
export function openLocalEngine(options: LocalEngineOptions): Engine {
  return new LocalEngine(options);
}

class LocalEngine implements Engine {
  readonly #store: Store;
  readonly #journal: Journal;
  readonly #limits: Limits;
  readonly #onEvent: (event: LiveEvent) => void;
  readonly #grace: number;
  readonly #lease: string;
  readonly #flows = new Map<string, AnyFlow>();
  readonly #running = new Map<string, Running>();
  readonly #poll: NodeJS.Timeout;
  #closed = false;

  constructor(options: LocalEngineOptions) {
    if (!options.store.owner)
      throw new EngineError({
        code: "store_read_only",
        message: "the engine's store is open for reading",
        where: { file: options.store.file },
        remedy: "open it for writing",
      });
    this.#store = options.store;
    this.#journal = new Journal(options.store);
    this.#limits = new Limits(options.queues ?? {});
    this.#onEvent = (event) => {
      try {
        options.onEvent?.(event);
      } catch {
        // Whoever watches a run can't end it.
      }
    };
    this.#grace = options.graceMilliseconds ?? 30_000;
    this.#lease = `${options.store.owner.token}/${++engines}`;
    this.#journal.takeRequests();
    this.#poll = this.#startPolling();
  }

  register(flow: Flow<never, Json> | Flow): void {
    const known = this.#flows.get(flow.name);
    if (known && known !== flow && known.version !== flow.version)
      throw new ConfigError({
        code: "flow_registered_twice",
        message: `flow ${flow.name} is registered in versions ${known.version} and ${flow.version}`,
        remedy: "register one version of each flow",
      });
    this.#flows.set(flow.name, flow as AnyFlow);
  }

  async submit<I extends Json, O extends Json>(
    flow: Flow<I, O>,
    input: I,
    options: { id: string; seed?: number },
  ): Promise<RunHandle<O>> {
    this.#assertOpen();
    this.register(flow as unknown as Flow);
    const text = canonicalJson(input);
    const known = this.#journal.run(options.id);
    if (!known) {
      const { name, version } = flow;
      const seed = options.seed ?? 0;
      return this.#start(this.#journal.createRun({ id: options.id, flow: name, version, input: text, seed }), false);
    }
    if (known.flow !== flow.name || known.input !== text || (options.seed ?? known.seed) !== known.seed)
      throw new ConfigError({
        code: "run_input_differs",
        message: `run ${known.id} exists with flow ${known.flow}, seed ${known.seed} and another flow, seed or input than this one`,
        remedy: "choose another id, or submit what that run was given",
      });
    this.#assertVersion(known);
    return this.#attach(known);
  }

  async resume<O extends Json>(
    id: string,
    options: { redo?: (key: string, result: Json) => boolean } = {},
  ): Promise<RunHandle<O>> {
    this.#assertOpen();
    const row = this.#known(id);
    this.#assertVersion(row);
    if (this.#running.has(id)) {
      if (!options.redo) return this.#attach(row);
      throw new EngineError({
        code: "run_active",
        message: `run ${id} is being executed`,
        remedy: "wait for it, or cancel it, before its steps are redone",
      });
    }
    const redone = options.redo ? await redoSteps(this.#journal, row, options.redo) : 0;
    if (row.status === "done" && redone === 0) return this.#attach(row);
    if (row.status === "failed") forgetCauses(this.#journal, row);
    return this.#start(row, true);
  }

  async cancel(id: string, reason: string): Promise<void> {
    const row = this.#known(id);
    const error = new EngineError({
      code: "run_cancelled",
      message: `run ${id} was cancelled: ${reason}`,
      remedy: "resume it to go on where it stopped",
    });
    const running = this.#running.get(id);
    if (running) return this.#stop(running, error);
    if (row.status === "done" || row.status === "cancelled") return;
    this.#journal.endRun(row.number, {
      status: "cancelled",
      result: null,
      result_blob: null,
      error: storeError(error),
    });
    this.#store.events.append({
      run: id,
      type: "run.cancelled",
      time: this.#store.clock(),
      body: { type: "run.cancelled", reason },
    });
  }

  list(): RunRecord[] {
    return runRows(this.#store).map((row) => recordOf(row, this.#isLive(), this.#store.file));
  }

  get(id: string): RunRecord | null {
    const [row] = runRows(this.#store, id);
    return row ? recordOf(row, this.#isLive(), this.#store.file) : null;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#poll);
    const error = new EngineError({
      code: "engine_closed",
      message: "the engine was closed",
      remedy: "resume the run to go on where it stopped",
      details: { infrastructure: true },
    });
    await Promise.all([...this.#running.values()].map((running) => this.#stop(running, error)));
  }

  #attach<O extends Json>(row: RunRow): RunHandle<O> | Promise<RunHandle<O>> {
    const running = this.#running.get(row.id);
    if (running) return handle<O>(row.id, running.result, true);
    if (row.status === "done") return handle<O>(row.id, this.#result(row), true);
    if (row.status === "failed" || row.status === "cancelled")
      return handle<O>(row.id, Promise.reject(restoreError(row.error as string, this.#store.file)), true);
    return this.#start<O>(row, true);
  }

  #start<O extends Json>(row: RunRow, attached: boolean): RunHandle<O> {
    const flow = this.#flows.get(row.flow) as AnyFlow;
    if (!this.#journal.lease(row, this.#lease))
      throw new EngineError({
        code: "run_leased",
        message: `another engine of this process executes run ${row.id}`,
        remedy: "wait for it, or close that engine",
        isRetryable: true,
      });
    const run = new ActiveRun(row, this.#journal, this.#onEvent);
    setMaxListeners(0, run.signal);
    const result = executeRun(run, flow, this.#limits).finally(() => this.#running.delete(row.id));
    this.#running.set(row.id, { run, result });
    return handle<O>(row.id, result, attached);
  }

  async #stop({ run, result }: Running, error: EngineError): Promise<void> {
    run.controller.abort(error);
    const timer = setTimeout(() => run.abandonAll(), this.#grace);
    await result.catch(() => {});
    clearTimeout(timer);
  }

  async #result(row: RunRow): Promise<Json> {
    if (row.result_blob === null) return storedJson(row.result ?? "null", this.#store.file);
    return storedJson((await this.#store.blobs.get(row.result_blob)).toString("utf8"), this.#store.file);
  }

  #startPolling(): NodeJS.Timeout {
    const version = this.#store.database.prepare<[], number>("PRAGMA data_version").pluck();
    let seen = -1;
    const poll = () => {
      if (!this.#store.database.open || this.#store.database.inTransaction) return;
      try {
        const current = version.get() as number;
        if (current === seen) return;
        seen = current;
        for (const request of this.#journal.takeRequests())
          if (this.#journal.run(request.run)) this.cancel(request.run, request.reason).catch(() => {});
      } catch {
        // A disk that fails is reported by the run's own writes.
      }
    };
    return setInterval(poll, pollMilliseconds).unref();
  }

  #isLive(): (row: RunRow) => boolean {
    const live = leaseIsLive(this.#store);
    return (row) => this.#running.has(row.id) || (row.lease !== this.#lease && live(row));
  }

  #known(id: string): RunRow {
    const row = this.#journal.run(id);
    if (row) return row;
    throw new EngineError({
      code: "run_unknown",
      message: `there is no run ${JSON.stringify(id)} in this project`,
      where: { file: this.#store.file },
      remedy: "`runs list` names those that there are",
    });
  }

  #assertVersion(row: RunRow): void {
    const flow = this.#flows.get(row.flow);
    if (!flow)
      throw new EngineError({
        code: "flow_unknown",
        message: `run ${row.id} belongs to flow ${row.flow}, which isn't registered`,
        remedy: "register the flow before the run is resumed",
      });
    if (flow.version === row.version) return;
    throw new EngineError({
      code: "flow_version_changed",
      message: `run ${row.id} was begun by version ${row.version} of flow ${row.flow}, and this is version ${flow.version}`,
      remedy: "start a new run, or resume this one with the program that began it",
      details: { journalled: row.version, current: flow.version },
    });
  }

  #assertOpen(): void {
    if (this.#closed)
      throw new EngineError({ code: "engine_closed", message: "the engine was closed", remedy: "open another one" });
  }
}

function handle<O extends Json>(id: string, result: Promise<Json>, attached: boolean): RunHandle<O> {
  result.catch(() => {});
  return { id, result: result as Promise<O>, attached };
}
