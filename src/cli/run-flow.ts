import { ConfigError, EngineError, type Flow, type Json, type RunRecord } from "../contract/index.ts";
import { openLocalEngine, showRun } from "../engine/index.ts";
import type { Store } from "../store/index.ts";
import type { CommandContext } from "./execute.ts";
import type { Project } from "./project.ts";

export type Redo = (key: string, result: Json) => boolean;
export type FlowRun<O> = {
  readonly id: string;
  /** null when the run was stopped before its end; it resumes under the same id. */
  readonly output: O | null;
  /** Somebody cancelled it from elsewhere: why. */
  readonly cancelled: string | null;
  /** Finished steps that were done again, and those that were kept. */
  readonly retaken: number;
  readonly kept: number;
};
export type FlowRunStart<O> = {
  readonly id: string;
  readonly input: Json;
  readonly seed: number;
  /** Which finished steps to take again; a run that isn't resumed has none. */
  readonly redo?: Redo | undefined;
  /** What of a finished run must be done again, from its output; null: nothing. */
  readonly mend?: (output: O) => Promise<Redo | null>;
};

/** Runs a flow of this project to its end, or until the command is interrupted or the run cancelled from elsewhere. */
export async function runFlow<O>(
  project: Project,
  context: CommandContext,
  work: (store: Store) => Promise<{ flow: Flow; close(): Promise<void> }>,
  start: FlowRunStart<O>,
): Promise<FlowRun<O>> {
  const store = project.openStore("write");
  let close = async () => {};
  try {
    const { queues } = project.configuration;
    const trial = (context.concurrency ?? queues.trial) + 1;
    const engine = openLocalEngine({ store, queues: { ...queues, trial } });
    const stop = () => void engine.close().catch(() => {});
    try {
      const known = engine.get(start.id);
      if (known && !start.redo) assertNotCancelled(known);
      const before = known ? showRun(store, start.id) : null;
      const { flow, ...opened } = await work(store);
      close = opened.close;
      engine.register(flow);
      const begin = () => {
        if (start.redo) return engine.resume(start.id, { redo: start.redo });
        if (known?.status === "failed") return engine.resume(start.id);
        return engine.submit(flow, start.input, { id: start.id, seed: start.seed });
      };
      let handle = await begin();
      const end = (output: O | null, cancelled: string | null = null): FlowRun<O> => {
        const redone = showRun(store, start.id).attempts.redone - (before?.attempts.redone ?? 0);
        return { id: start.id, output, cancelled, retaken: redone, kept: (before?.run.steps ?? 0) - redone };
      };
      context.signal.addEventListener("abort", stop, { once: true });
      if (context.signal.aborted) stop();
      try {
        let output = (await handle.result) as O;
        const redo = known?.status === "done" && start.mend ? await start.mend(output) : null;
        if (redo && !context.signal.aborted) {
          handle = await engine.resume(start.id, { redo });
          output = (await handle.result) as O;
        }
        return end(output);
      } catch (error) {
        if (context.signal.aborted) return end(null);
        if (EngineError.isInstance(error) && error.code === "run_cancelled") return end(null, error.message);
        throw error;
      }
    } finally {
      context.signal.removeEventListener("abort", stop);
      await engine.close();
      await close();
    }
  } finally {
    store.close();
  }
}

function assertNotCancelled({ id, status }: RunRecord): void {
  if (status !== "cancelled") return;
  throw new ConfigError({
    code: "run_cancelled",
    message: `run ${id} does just this, and was cancelled`,
    remedy: `take it up again with: routesetter runs resume ${id}`,
  });
}
