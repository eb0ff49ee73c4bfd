import { EngineError, type RunRecord } from "../../contract/index.ts";
import { describeOwner, guarded, type Store, type StoredEvent } from "../../store/index.ts";
import type { AttemptOutcome } from "../local/journal.ts";
import { leaseIsLive, recordOf, runRows } from "../local/run-record.ts";

/** `interrupted`: in flight when the run stopped; `forgotten`: to be done again. */
export type ShownStepStatus = "running" | "interrupted" | "done" | "failed" | "forgotten";
export type RunDetails = {
  readonly run: RunRecord;
  /** Who executes the run, in words; null when nobody does. */
  readonly owner: string | null;
  /** Steps by stage and status, in the order of the first step of each. */
  readonly stages: readonly { readonly stage: string; readonly status: ShownStepStatus; readonly count: number }[];
  /** Steps that are running, or were when the run stopped; at most 100. */
  readonly inFlight: readonly {
    readonly key: string;
    readonly stage: string | null;
    readonly since: number;
    readonly attempt: number;
  }[];
  /** How many earlier attempts there are, by how they ended. */
  readonly attempts: Readonly<Record<AttemptOutcome, number>>;
  /** The last events, oldest first. */
  readonly events: readonly StoredEvent[];
};

/** One run in detail, from a store open for reading. Errors: EngineError `run_unknown`. */
export function showRun(store: Store, id: string, options: { events?: number } = {}): RunDetails {
  return guarded(store.file, () => show(store, id, options.events ?? 20));
}

function show(store: Store, id: string, events: number): RunDetails {
  // The owner first: a run that ends in between is then seen as ended, not as left by a dead owner.
  const isLive = leaseIsLive(store);
  const [row] = runRows(store, id);
  if (!row)
    throw new EngineError({
      code: "run_unknown",
      message: `there is no run ${JSON.stringify(id)} in this project`,
      where: { file: store.file },
      remedy: "`runs list` names those that there are",
    });
  const run = recordOf(row, isLive, store.file);
  const owner = store.currentOwner();
  const stages = store.database
    .prepare<[number], { stage: string | null; status: ShownStepStatus; count: number; first: number }>(
      `SELECT stage, status, count(*) AS count, min(id) AS first FROM step
       WHERE run = ? AND kind = 'step' GROUP BY status, stage`,
    )
    .all(row.number)
    .sort((a, b) => a.first - b.first);
  const inFlight = store.database
    .prepare<[number], RunDetails["inFlight"][number]>(
      `SELECT key, stage, started_at AS since, attempts AS attempt FROM step
       WHERE run = ? AND kind = 'step' AND status = 'running' ORDER BY ordinal LIMIT 100`,
    )
    .all(row.number);
  const attempts: Record<AttemptOutcome, number> = { failed: 0, interrupted: 0, redone: 0 };
  for (const { outcome, count } of store.database
    .prepare<[number], { outcome: AttemptOutcome; count: number }>(
      "SELECT outcome, count(*) AS count FROM attempt WHERE run = ? GROUP BY outcome",
    )
    .all(row.number))
    attempts[outcome] = count;
  return {
    run,
    owner: owner && run.status === "running" ? describeOwner(owner) : null,
    stages: stages.map(({ stage, status, count }) => ({
      stage: stage ?? "",
      status: status === "running" && run.status !== "running" ? "interrupted" : status,
      count,
    })),
    inFlight,
    attempts,
    events: store.events.tail(id, events),
  };
}
