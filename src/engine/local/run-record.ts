import type { RunRecord } from "../../contract/index.ts";
import { type Store, storedJson } from "../../store/index.ts";
import type { RunRow } from "./journal.ts";
import { readStoredError } from "./stored-error.ts";

/** A run as the world sees it: one that says `running` while no living engine has it is `stopped`. */
export function recordOf(
  row: RunRow & { readonly steps: number },
  isLive: (row: RunRow) => boolean,
  file: string,
): RunRecord {
  return {
    id: row.id,
    flow: row.flow,
    version: row.version,
    status: row.status === "running" && !isLive(row) ? "stopped" : row.status,
    input: storedJson(row.input, file),
    seed: row.seed,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    steps: row.steps,
    error: row.error === null ? null : readStoredError(row.error, file).message,
  };
}

const select = `SELECT run.*, (SELECT count(*) FROM step
  WHERE step.run = run.number AND step.kind = 'step' AND step.status = 'done') AS steps FROM run`;

/** All runs, oldest first, or the one with this id. */
export function runRows(store: Store, id?: string): (RunRow & { steps: number })[] {
  type Row = RunRow & { steps: number };
  return id === undefined
    ? store.database.prepare<[], Row>(`${select} ORDER BY number`).all()
    : store.database.prepare<[string], Row>(`${select} WHERE id = ?`).all(id);
}

/** For a process that isn't the engine: whether the owner of the project lives and has the run. */
export function leaseIsLive(store: Store): (row: RunRow) => boolean {
  const owner = store.currentOwner();
  return (row) => owner?.alive === true && row.lease?.startsWith(`${owner.token}/`) === true;
}
