import { EngineError, type Flow, type Json, type RunStatus } from "../../contract/index.ts";
import { storedJson } from "../../store/index.ts";
import type { ActiveRun } from "./active-run.ts";
import type { Limits } from "./limits.ts";
import { LocalContext } from "./local-context.ts";
import { scopes } from "./scope.ts";
import { storeError } from "./stored-error.ts";

/** Runs the flow to its end, whatever that is, and journals it. */
export async function executeRun(run: ActiveRun, flow: Flow<Json, Json>, limits: Limits): Promise<Json> {
  await Promise.resolve();
  try {
    run.durably(() => run.tell(run.row.sessions === 0 ? "run.started" : "run.resumed", { flow: flow.name }));
    const context = new LocalContext(run, limits);
    const input = storedJson(run.row.input, run.journal.store.file);
    const output = await new Promise<Json>((resolve, reject) => {
      run.abandonFlow = reject;
      scopes.run(context.scope, async () => flow.run(context, input)).then(resolve, reject);
    });
    run.throwIfEnded();
    assertAllAsked(run);
    const { text, result, blob } = await run.kept(output ?? null, `run ${run.row.id}`);
    run.durably(() =>
      run.journal.together(() => {
        run.journal.endRun(run.row.number, { status: "done", result, result_blob: blob, error: null });
        run.tell("run.done");
      }),
    );
    return JSON.parse(text ?? "null") as Json;
  } catch (thrown) {
    const error = run.fatal?.reason ?? thrown;
    recordEnd(run, error);
    throw error;
  } finally {
    run.end();
  }
}

function recordEnd(run: ActiveRun, error: unknown): void {
  const status = statusOf(error);
  try {
    if (status === "failed" && typeof error === "object" && error !== null)
      run.journal.markCauses(run.row.number, [...causesOf(run, error)]);
    run.journal.together(() => {
      run.journal.endRun(run.row.number, { status, result: null, result_blob: null, error: storeError(error) });
      run.tell(`run.${status}`, { error: error instanceof Error ? error.message : String(error) });
    });
  } catch {
    // The disk is full or the project lost: the run shows as stopped, since no living engine has it.
  }
}

function statusOf(error: unknown): RunStatus {
  if (!EngineError.isInstance(error)) return "failed";
  if (error.code === "run_cancelled") return "cancelled";
  return error.details.infrastructure === true ? "stopped" : "failed";
}

function* causesOf(run: ActiveRun, error: object): Generator<string> {
  for (let current: unknown = error; typeof current === "object" && current !== null; ) {
    yield* run.causes.get(current) ?? [];
    current = (current as { cause?: unknown }).cause;
  }
}

function assertAllAsked(run: ActiveRun): void {
  const { count, keys } = run.unasked(5);
  if (count === 0) return;
  throw new EngineError({
    code: "step_removed",
    message: `run ${run.row.id} has ${count} journalled step(s) that flow ${run.row.flow} version ${run.row.version} no longer asks for: ${keys.map((key) => JSON.stringify(key)).join(", ")}`,
    remedy: "give the steps their keys back and resume, or change the flow's version and start a new run",
    details: { keys },
  });
}
