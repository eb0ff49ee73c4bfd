import type { Json } from "./json.ts";

/** How one step is run. `queue` names a resource whose concurrency is bounded (`build`, `trial`, `cpu`, `model:<provider>`). */
export type StepPolicy = {
  readonly queue?: string;
  /** Key of a token bucket, with its rate. */
  readonly rate?: { readonly key: string; readonly perSecond: number };
  readonly retries?: number;
  /** Errors of these codes, or with isRetryable, are retried; the wait doubles from this. */
  readonly retryWaitMilliseconds?: number;
  /** What kind of work it is, for `runs list` and for the log of kills. */
  readonly stage?: string;
};

export type RunEvent = { readonly type: string; readonly [key: string]: Json };

/**
 * What a flow is written against. A step's result is journalled under its key, never its position. Flows take no
 * clock and no randomness but these. Results are JSON; over 64 kB they travel through the blob store by themselves.
 */
export interface RunContext {
  readonly runId: string;
  readonly signal: AbortSignal;
  step<T extends Json | undefined | void>(
    key: string,
    work: (attempt: { number: number; signal: AbortSignal }) => Promise<T>,
    policy?: StepPolicy,
  ): Promise<T>;
  /** Runs all, in any order; the order of completion is journalled, so `onComplete` sees the same order after a resume. */
  all<I, T>(
    items: Iterable<I> | AsyncIterable<I>,
    work: (item: I, index: number) => Promise<T>,
    options: {
      key: string;
      concurrency: number;
      onComplete?: (result: T, item: I, index: number) => void | Promise<void>;
      collect?: boolean;
    },
  ): Promise<T[]>;
  sleep(key: string, milliseconds: number): Promise<void>;
  child<I extends Json, O extends Json>(key: string, flow: Flow<I, O>, input: I): Promise<O>;
  /** Milliseconds since the epoch, journalled. */
  now(key: string): Promise<number>;
  /** A number in [0, 1) that depends on the run's seed and the key alone. */
  random(key: string): number;
  emit(event: RunEvent): void;
}

export interface Flow<I extends Json = Json, O extends Json = Json> {
  readonly name: string;
  /** Changes when journalled steps would no longer mean the same. */
  readonly version: string;
  run(context: RunContext, input: I): Promise<O>;
}

export type RunStatus = "pending" | "running" | "done" | "failed" | "stopped" | "cancelled";
export type RunRecord = {
  readonly id: string;
  readonly flow: string;
  readonly version: string;
  readonly status: RunStatus;
  readonly input: Json;
  readonly seed: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly steps: number;
  readonly error: string | null;
};

export interface Engine {
  register(flow: Flow<never, Json> | Flow): void;
  /** The same id submitted again attaches to the run that exists; another input under that id is a ConfigError. */
  submit<I extends Json, O extends Json>(
    flow: Flow<I, O>,
    input: I,
    options: { id: string; seed?: number },
  ): Promise<RunHandle<O>>;
  /** Continues a run that was killed, stopped or failed. `redo` forgets the steps whose key it accepts. */
  resume<O extends Json>(
    id: string,
    options?: { redo?: (key: string, result: Json) => boolean },
  ): Promise<RunHandle<O>>;
  cancel(id: string, reason: string): Promise<void>;
  list(): RunRecord[];
  get(id: string): RunRecord | null;
  close(): Promise<void>;
}
export interface RunHandle<O> {
  readonly id: string;
  readonly result: Promise<O>;
  /** True when the run existed before this call. */
  readonly attached: boolean;
}
