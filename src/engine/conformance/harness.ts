// What every engine's conformance suite works with: how it is opened, and a project that is removed afterwards.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine, Flow, Json, RunContext, RunEvent } from "../../contract/index.ts";

export type EngineSetup = {
  readonly directory: string;
  readonly queues: Readonly<Record<string, number>>;
  readonly onEvent?: (event: RunEvent) => void;
  /** How long steps may take to notice that they are cancelled. */
  readonly graceMilliseconds?: number;
};
export type OpenedEngine = {
  readonly engine: Engine;
  /** What the log holds of a run, oldest first. */
  events(run: string): RunEvent[];
  /** Closes the engine and everything below it. */
  close(): Promise<void>;
};
export type OpenEngine = (setup: EngineSetup) => Promise<OpenedEngine>;

export const queues = { trial: 2, build: 1 };

/** A flow from a function, for tests. */
export const flowOf = (
  run: (context: RunContext, input: Json) => Promise<Json>,
  version = "1",
  name = "conformance",
): Flow<Json, Json> => ({ name, version, run });

/** A project in a temporary directory; every engine that was opened in it is closed in the end. */
export class Project {
  readonly directory = mkdtempSync(join(tmpdir(), "routesetter-engine-"));
  readonly #open: OpenEngine;
  readonly #opened = new Set<OpenedEngine>();

  constructor(open: OpenEngine) {
    this.#open = open;
  }

  async open(setup: Partial<EngineSetup> = {}): Promise<OpenedEngine> {
    const opened = await this.#open({ directory: this.directory, queues, ...setup });
    this.#opened.add(opened);
    return opened;
  }

  /** Closes the engine and opens another one over the same state, as after a stop of the program. */
  async reopen(opened: OpenedEngine, setup: Partial<EngineSetup> = {}): Promise<OpenedEngine> {
    await this.#close(opened);
    return this.open(setup);
  }

  async dispose(): Promise<void> {
    for (const opened of this.#opened) await this.#close(opened);
    rmSync(this.directory, { recursive: true, force: true });
  }

  async #close(opened: OpenedEngine): Promise<void> {
    if (this.#opened.delete(opened)) await opened.close();
  }
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    if (milliseconds >= 10_000) timer.unref();
  });

/** Rejects like a cooperative step does when its signal is aborted. */
export const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
