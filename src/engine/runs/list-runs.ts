import type { RunRecord } from "../../contract/index.ts";
import type { Store } from "../../store/index.ts";
import { leaseIsLive, recordOf, runRows } from "../local/run-record.ts";

/** All runs of a project, oldest first, from a store open for reading. A run whose owner is dead is `stopped`. */
export function listRuns(store: Store): RunRecord[] {
  const isLive = leaseIsLive(store);
  return runRows(store).map((row) => recordOf(row, isLive, store.file));
}
