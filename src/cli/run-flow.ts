import type { Engine, Flow, Json } from "../contract/index.ts";
import { openLocalEngine } from "../engine/index.ts";
import type { Store } from "../store/index.ts";
import type { CommandContext } from "./execute.ts";
import type { Project } from "./project.ts";

export type FlowRun<O> = { readonly id: string; readonly attached: boolean; readonly output: O | null };

/**
 * Runs a flow of this project to its end, or until the command is interrupted (`output` is null then: the run is
 * stopped and resumes under the same id). `redo` takes finished steps again.
 */
export async function runFlow<I extends Json, O>(
  project: Project,
  context: CommandContext,
  work: (store: Store) => Promise<{ flow: Flow; close(): Promise<void> }>,
  start: { id: string; input: I; seed: number; redo?: (key: string, result: Json) => boolean },
): Promise<FlowRun<O>> {
  const store = project.openStore("write");
  let engine: Engine | null = null;
  let close = async () => {};
  try {
    engine = openLocalEngine({ store, queues: project.configuration.queues });
    const { flow, ...opened } = await work(store);
    close = opened.close;
    engine.register(flow);
    const stop = () => void engine?.close().catch(() => {});
    context.signal.addEventListener("abort", stop, { once: true });
    const handle = start.redo
      ? await engine.resume(start.id, { redo: start.redo })
      : await engine.submit(flow, start.input as Json, { id: start.id, seed: start.seed });
    try {
      return { id: handle.id, attached: handle.attached, output: (await handle.result) as O };
    } catch (error) {
      if (context.signal.aborted) return { id: handle.id, attached: handle.attached, output: null };
      throw error;
    }
  } finally {
    await engine?.close();
    await close();
    store.close();
  }
}
