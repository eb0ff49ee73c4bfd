// The journal in the project's database: runs, steps under their keys, earlier attempts, completion orders.
import type { Statement } from "better-sqlite3";
import type { RunStatus } from "../../contract/index.ts";
import { guarded, type NewEvent, type Store } from "../../store/index.ts";

/** Results longer than this, in bytes, are kept as blobs. */
export const inlineLimitBytes = 64 * 1024;
const orderPage = 1000;
const runSpan = 2 ** 32;
const checkEveryWrites = 256;

export type RunRow = {
  readonly number: number;
  readonly id: string;
  readonly flow: string;
  readonly version: string;
  readonly status: RunStatus;
  readonly input: string;
  readonly seed: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly sessions: number;
  readonly lease: string | null;
  readonly result: string | null;
  readonly result_blob: string | null;
  readonly error: string | null;
};
export type StepStatus = "running" | "done" | "failed" | "forgotten";
export type StepRow = {
  readonly run: number;
  readonly ordinal: number;
  readonly key: string;
  readonly kind: "step" | "all" | "child";
  readonly stage: string | null;
  readonly status: StepStatus;
  readonly attempts: number;
  readonly started_at: number;
  readonly finished_at: number | null;
  readonly result: string | null;
  readonly blob: string | null;
  readonly error: string | null;
};
type FinishedColumns = [number, string, StepRow["kind"], string | null, string | null];
export type AttemptOutcome = "failed" | "interrupted" | "redone";

/** Writes are durable against the end of the process when they return. Errors: EngineError of storage, `owner_lost`. */
export class Journal {
  readonly store: Store;
  readonly #find: Statement<[number, string], StepRow>;
  readonly #page: Statement<[number, number, number], StepRow>;
  readonly #finished: Statement<[number, number, number], FinishedColumns>;
  readonly #write: Statement<[StepRow]>;
  readonly #attempt: Statement<
    [number, string, number, AttemptOutcome, number, number | null, string | null, string | null, string | null]
  >;
  readonly #order: Statement<[number, number, number, number]>;
  #writes = 0;

  constructor(store: Store) {
    this.store = store;
    const { database } = store;
    this.#find = database.prepare("SELECT * FROM step WHERE run = ? AND key = ?");
    this.#page = database.prepare("SELECT * FROM step WHERE id > ? AND id < ? ORDER BY id LIMIT ?");
    this.#finished = database
      .prepare<[number, number, number], FinishedColumns>(
        `SELECT ordinal, key, kind, result, blob FROM step
         WHERE id > ? AND id < ? AND status = 'done' ORDER BY id LIMIT ?`,
      )
      .raw();
    this.#write = database.prepare(
      `INSERT INTO step (id, run, ordinal, key, kind, stage, status, attempts, started_at, finished_at, result, blob, error)
       VALUES (@run * 4294967296 + @ordinal, @run, @ordinal, @key, @kind, @stage, @status, @attempts, @started_at, @finished_at, @result, @blob, @error)
       ON CONFLICT (run, key) DO UPDATE SET stage = excluded.stage, status = excluded.status,
         attempts = excluded.attempts, started_at = excluded.started_at, finished_at = excluded.finished_at,
         result = excluded.result, blob = excluded.blob, error = excluded.error, is_cause = 0`,
    );
    this.#attempt = database.prepare(
      `INSERT OR REPLACE INTO attempt (run, key, number, outcome, started_at, finished_at, result, blob, error)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#order = database.prepare("INSERT INTO completion (run, step, position, item) VALUES (?, ?, ?, ?)");
  }

  run(id: string): RunRow | undefined {
    return this.#read(() => this.store.database.prepare<[string], RunRow>("SELECT * FROM run WHERE id = ?").get(id));
  }

  createRun(row: Pick<RunRow, "id" | "flow" | "version" | "input" | "seed">): RunRow {
    const time = this.store.clock();
    this.#change(() =>
      this.store.database
        .prepare(
          `INSERT INTO run (id, flow, version, status, input, seed, created_at, updated_at)
           VALUES (@id, @flow, @version, 'pending', @input, @seed, @time, @time)`,
        )
        .run({ ...row, time }),
    );
    return this.run(row.id) as RunRow;
  }

  /** Takes the run for an engine of this process; false when another one of it has the run. */
  lease(row: RunRow, lease: string): boolean {
    return this.#change(
      () =>
        this.store.database
          .prepare(
            `UPDATE run SET lease = ?, status = 'running', error = NULL, sessions = sessions + 1, updated_at = ?
             WHERE number = ? AND (lease IS NULL OR lease = ? OR lease NOT LIKE ?)`,
          )
          .run(lease, this.store.clock(), row.number, lease, `${this.store.owner?.token}/%`).changes === 1,
    );
  }

  endRun(number: number, end: Pick<RunRow, "status" | "result" | "result_blob" | "error">): void {
    this.#change(() =>
      this.store.database
        .prepare(
          `UPDATE run SET status = @status, result = @result, result_blob = @result_blob, error = @error,
             updated_at = @time, lease = NULL WHERE number = @number`,
        )
        .run({ ...end, number, time: this.store.clock() }),
    );
  }

  /** Several changes as one: all or nothing. */
  together(work: () => void): void {
    this.#transaction(work);
  }

  step(run: number, key: string): StepRow | undefined {
    return this.#read(() => this.#find.get(run, key));
  }

  /** Writes a step with the events that belong to it, and the attempts that came before: all or nothing. */
  writeStep(
    row: StepRow,
    events: readonly NewEvent[] = [],
    earlier: { row: StepRow; outcome: AttemptOutcome } | null = null,
  ): void {
    if (events.length === 0 && earlier === null) {
      this.#change(() => this.#write.run(row));
      return;
    }
    this.#transaction(() => {
      for (const event of events) this.store.events.append(event);
      if (earlier) this.#keepAttempt(earlier.row, earlier.outcome);
      this.#write.run(row);
    });
  }

  /** Writes the steps that have been in flight for a while, so that others see what a run is at. */
  writeStarts(rows: readonly StepRow[]): void {
    this.#transaction(() => {
      for (const row of rows) this.#write.run(row);
    });
  }

  /** Moves finished steps to the attempt history, to be done again. */
  forget(rows: readonly StepRow[], outcome: AttemptOutcome): void {
    this.#transaction(() => {
      for (const row of rows) {
        this.#keepAttempt(row, outcome);
        this.#write.run({ ...row, status: "forgotten", finished_at: null, result: null, blob: null, error: null });
      }
    });
  }

  /** Steps of a run in the order in which they were first asked for, `limit` at a time. */
  steps(run: number, after: number, limit: number): StepRow[] {
    return this.#read(() => this.#page.all(run * runSpan + after, (run + 1) * runSpan, limit));
  }

  /** Finished steps after an ordinal, with what a replay needs of them: a resume reads all of them, so it reads little. */
  finishedSteps(run: number, after: number, limit: number): StepRow[] {
    const rows = this.#read(() => this.#finished.all(run * runSpan + after, (run + 1) * runSpan, limit));
    return rows.map((columns) => finishedRow(run, columns));
  }

  /** Marks the failed steps of which the run failed. */
  markCauses(run: number, keys: readonly string[]): void {
    const mark = this.store.database.prepare(
      "UPDATE step SET is_cause = 1 WHERE run = ? AND key = ? AND status = 'failed'",
    );
    this.#transaction(() => {
      for (const key of keys) mark.run(run, key);
    });
  }

  /** Steps that were marked, up to a limit. */
  causes(run: number, limit: number): StepRow[] {
    return this.#read(() =>
      this.store.database
        .prepare<[number, number], StepRow>("SELECT * FROM step WHERE run = ? AND is_cause = 1 LIMIT ?")
        .all(run, limit),
    );
  }

  /** How many steps there are, and the highest ordinal among them, -1 when there are none. */
  ordinals(run: number): { ordinal: number; count: number } {
    const { database } = this.store;
    const ends = [run * runSpan, (run + 1) * runSpan] as const;
    return this.#read(() => ({
      ordinal:
        database
          .prepare<[number, number], number>(
            "SELECT ordinal FROM step WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT 1",
          )
          .pluck()
          .get(...ends) ?? -1,
      count: database.prepare<[number], number>("SELECT count(*) FROM step WHERE run = ?").pluck().get(run) as number,
    }));
  }

  keyAt(run: number, ordinal: number): string | undefined {
    return this.#read(() =>
      this.store.database
        .prepare<[number], string>("SELECT key FROM step WHERE id = ?")
        .pluck()
        .get(run * runSpan + ordinal),
    );
  }

  /** Items in the order in which they finished, read lazily in pages. */
  *order(run: number, step: number): Generator<number, undefined> {
    const page = this.store.database
      .prepare<[number, number, number, number], number>(
        "SELECT item FROM completion WHERE run = ? AND step = ? AND position >= ? ORDER BY position LIMIT ?",
      )
      .pluck();
    for (let position = 0; ; ) {
      const items = this.#read(() => page.all(run, step, position, orderPage));
      yield* items;
      if (items.length < orderPage) return undefined;
      position += items.length;
    }
  }

  recordCompletion(run: number, step: number, position: number, item: number): void {
    this.#change(() => this.#order.run(run, step, position, item));
  }

  /** Requests of other processes, taken off the list. */
  takeRequests(): { kind: "cancel"; run: string; reason: string }[] {
    const { database } = this.store;
    const rows = this.#read(() =>
      database
        .prepare<[], { id: number; kind: "cancel"; run: string; reason: string }>("SELECT * FROM request ORDER BY id")
        .all(),
    );
    if (rows.length > 0) this.#change(() => database.prepare("DELETE FROM request WHERE id <= ?").run(rows.at(-1)?.id));
    return rows;
  }

  #keepAttempt(row: StepRow, outcome: AttemptOutcome): void {
    this.#attempt.run(
      row.run,
      row.key,
      row.attempts,
      outcome,
      row.started_at,
      row.finished_at,
      row.result,
      row.blob,
      row.error,
    );
  }

  #read<T>(work: () => T): T {
    return guarded(this.store.file, work);
  }

  #change<T>(work: () => T): T {
    this.store.assertOwned();
    const result = guarded(this.store.file, work);
    if (++this.#writes % checkEveryWrites === 0) this.store.checkpoint();
    return result;
  }

  #transaction(work: () => void): void {
    this.#change(() => this.store.database.transaction(work).immediate());
  }
}

/** Written out, since this is the innermost loop of a replay. */
function finishedRow(run: number, columns: FinishedColumns): StepRow {
  return {
    run,
    ordinal: columns[0],
    key: columns[1],
    kind: columns[2],
    stage: null,
    status: "done",
    attempts: 1,
    started_at: 0,
    finished_at: 0,
    result: columns[3],
    blob: columns[4],
    error: null,
  };
}
