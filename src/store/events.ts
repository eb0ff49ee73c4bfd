// The append-only event log. An event with a source is stored once, however often it is appended.
import type { Database, Statement } from "better-sqlite3";
import type { Json } from "../contract/index.ts";
import { guarded, storedJson } from "./storage-error.ts";

export type StoredEvent = {
  readonly id: number;
  readonly run: string | null;
  readonly type: string;
  readonly time: number;
  readonly body: Json;
};
export type NewEvent = {
  readonly run?: string | null;
  /** Names where the event comes from: a second event of the same source is dropped. */
  readonly source?: string | null;
  readonly type: string;
  readonly time: number;
  readonly body: Json;
};

type Row = { id: number; run: string | null; type: string; time: number; body: string };
const parse =
  (file: string) =>
  (row: Row): StoredEvent => ({ ...row, body: storedJson(row.body, file) });

/** The log of one project. Errors: EngineError `host_disk_full`, `store_busy`. */
export class Events {
  readonly #file: string;
  readonly #database: Database;
  #insert: Statement<[string | null, string | null, string, number, string]> | null = null;

  constructor(database: Database, file: string) {
    this.#database = database;
    this.#file = file;
  }

  /** Appends, and returns false when an event of this source is already there. */
  append(event: NewEvent): boolean {
    this.#insert ??= this.#database.prepare(
      "INSERT INTO event (run, source, type, time, body) VALUES (?, ?, ?, ?, ?) ON CONFLICT (source) DO NOTHING",
    );
    const insert = this.#insert;
    const body = JSON.stringify(event.body);
    return guarded(
      this.#file,
      () => insert.run(event.run ?? null, event.source ?? null, event.type, event.time, body).changes === 1,
    );
  }

  /** Up to `limit` events after the given id, oldest first. Call again with the last id to follow the log. */
  read(options: { run?: string; after?: number; limit?: number } = {}): StoredEvent[] {
    const { run, after = 0, limit = 1000 } = options;
    return guarded(this.#file, () =>
      run === undefined
        ? this.#database
            .prepare<[number, number], Row>(
              "SELECT id, run, type, time, body FROM event WHERE id > ? ORDER BY id LIMIT ?",
            )
            .all(after, limit)
        : this.#database
            .prepare<[string, number, number], Row>(
              "SELECT id, run, type, time, body FROM event WHERE run = ? AND id > ? ORDER BY id LIMIT ?",
            )
            .all(run, after, limit),
    ).map(parse(this.#file));
  }

  /** The last `limit` events of a run, oldest first. */
  tail(run: string, limit: number): StoredEvent[] {
    return guarded(this.#file, () =>
      this.#database
        .prepare<[string, number], Row>(
          "SELECT id, run, type, time, body FROM event WHERE run = ? ORDER BY id DESC LIMIT ?",
        )
        .all(run, limit),
    )
      .reverse()
      .map(parse(this.#file));
  }
}
