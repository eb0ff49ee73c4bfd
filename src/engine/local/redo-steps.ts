import { EngineError, type Json } from "../../contract/index.ts";
import type { Journal, RunRow, StepRow } from "./journal.ts";

const pageSize = 500;
/** Stands for a result whose blob is gone or damaged: it is redone in any case. */
const lost = Symbol("lost");

/** Forgets the finished steps whose result is accepted, or lost; returns how many. */
export async function redoSteps(
  journal: Journal,
  run: RunRow,
  accepts: (key: string, result: Json) => boolean,
): Promise<number> {
  let count = 0;
  for (let after = -1; ; ) {
    const page = journal.steps(run.number, after, pageSize);
    const chosen: StepRow[] = [];
    for (const step of page) {
      if (step.kind !== "step" || step.status !== "done") continue;
      const result = await resultOf(journal, step);
      if (result === lost || accepts(step.key, result)) chosen.push(step);
    }
    if (chosen.length > 0) journal.forget(chosen, "redone");
    count += chosen.length;
    if (page.length < pageSize) return count;
    after = (page.at(-1) as StepRow).ordinal;
  }
}

/** Forgets the failures of which a run failed. */
export function forgetCauses(journal: Journal, run: RunRow): void {
  for (;;) {
    const page = journal.causes(run.number, pageSize);
    if (page.length === 0) return;
    journal.forget(page, "failed");
  }
}

async function resultOf(journal: Journal, step: StepRow): Promise<Json | typeof lost> {
  if (step.blob === null) return JSON.parse(step.result ?? "null") as Json;
  try {
    return JSON.parse((await journal.store.blobs.get(step.blob)).toString("utf8")) as Json;
  } catch (error) {
    if (EngineError.isInstance(error) && (error.code === "blob_missing" || error.code === "blob_corrupt")) return lost;
    throw error;
  }
}
