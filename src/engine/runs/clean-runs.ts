import type { RunStatus } from "../../contract/index.ts";
import { guarded, type Store } from "../../store/index.ts";
import { leaseIsLive, recordOf, runRows } from "../local/run-record.ts";

export type CleanOptions = {
  /** These runs only. A run that is being executed is never removed. */
  readonly ids?: readonly string[];
  /** Runs with these statuses; default done and cancelled, or any but running when ids are given. */
  readonly statuses?: readonly RunStatus[];
  /** Runs that were last changed before this time, in milliseconds since the epoch. */
  readonly before?: number;
};

/**
 * Removes runs, their journals, and the results' blobs that nothing else in the journal or the lineage names. Events
 * stay: the log is append-only. The store must be open for writing.
 */
export async function cleanRuns(
  store: Store,
  options: CleanOptions = {},
): Promise<{ removed: string[]; kept: string[]; blobs: number }> {
  store.assertOwned();
  const { ids, before = Number.POSITIVE_INFINITY } = options;
  const statuses = new Set(
    options.statuses ?? (ids ? ["pending", "done", "failed", "stopped", "cancelled"] : ["done", "cancelled"]),
  );
  const isLive = leaseIsLive(store);
  const removed: string[] = [];
  const kept: string[] = [];
  let blobs = 0;
  for (const row of guarded(store.file, () => runRows(store))) {
    if (ids && !ids.includes(row.id)) continue;
    const { status } = recordOf(row, isLive, store.file);
    if (status === "running" || !statuses.has(status) || row.updated_at >= before) {
      kept.push(row.id);
      continue;
    }
    const digests = guarded(store.file, () => remove(store, row.number, row.id));
    for (const digest of digests) await store.blobs.remove(digest);
    blobs += digests.length;
    removed.push(row.id);
  }
  return { removed, kept, blobs };
}

function remove(store: Store, run: number, id: string): string[] {
  const { database } = store;
  const transaction = database.transaction(() => {
    const digests = database
      .prepare<[number, number, number], string>(
        `SELECT blob FROM step WHERE run = ? AND blob IS NOT NULL
         UNION SELECT blob FROM attempt WHERE run = ? AND blob IS NOT NULL
         UNION SELECT result_blob FROM run WHERE number = ? AND result_blob IS NOT NULL`,
      )
      .pluck()
      .all(run, run, run);
    database.prepare("DELETE FROM run WHERE number = ?").run(run);
    const used = database
      .prepare<{ digest: string }, 1>(
        `SELECT 1 WHERE EXISTS (SELECT 1 FROM step WHERE blob = @digest)
           OR EXISTS (SELECT 1 FROM attempt WHERE blob = @digest)
           OR EXISTS (SELECT 1 FROM run WHERE result_blob = @digest)
           OR EXISTS (SELECT 1 FROM lineage WHERE child = @digest)
           OR EXISTS (SELECT 1 FROM lineage WHERE parent = @digest)`,
      )
      .pluck();
    store.events.append({ run: id, type: "run.cleaned", time: store.clock(), body: { type: "run.cleaned" } });
    return digests.filter((digest) => used.get({ digest }) === undefined);
  });
  return transaction.immediate();
}
