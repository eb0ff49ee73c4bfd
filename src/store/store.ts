// A project's state directory: one SQLite file (WAL) that one process at a time may write, and blobs beside it.
import { existsSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "better-sqlite3";
import { ConfigError, EngineError } from "../contract/index.ts";
import { Blobs } from "./blobs.ts";
import { Events } from "./events.ts";
import { Lineage } from "./lineage.ts";
import { checkVersion, migrate, migrations } from "./migrate.ts";
import { type Owner, readOwner, releaseOwnership, takeOwnership } from "./owner.ts";
import { Sqlite } from "./sqlite.ts";
import { guarded } from "./storage-error.ts";

const busyMilliseconds = 10_000;
const heartbeatEveryMilliseconds = 5_000;
const walLimitBytes = 16 * 1024 * 1024;
/** From here on a writer waits for the readers that keep the log from being folded in. */
const walPressureBytes = 32 * 1024 * 1024;

export type StoreOptions = {
  /** `write` makes this process the owner; `read` never waits for one and never blocks one. Default `write`. */
  readonly mode?: "write" | "read";
  /** Shown to whoever is refused. Default: the program's arguments. */
  readonly command?: string;
  readonly clock?: () => number;
};

export type Store = {
  readonly directory: string;
  /** The SQLite file. */
  readonly file: string;
  readonly mode: "write" | "read";
  readonly database: Database;
  readonly blobs: Blobs;
  readonly events: Events;
  readonly lineage: Lineage;
  readonly clock: () => number;
  /** This process as owner; null for a reader. */
  readonly owner: Owner | null;
  /** Who owns the project now, alive or not. */
  currentOwner(): (Owner & { readonly alive: boolean }) | null;
  /** Throws EngineError `owner_lost` once another process has taken the project. */
  assertOwned(): void;
  /** Folds the write-ahead log into the file when it has grown large; cheap otherwise. */
  checkpoint(): void;
  close(): void;
};

/**
 * Opens the state directory, makes it and brings its schema up to date when it is opened for writing.
 * Errors: EngineError `project_owned`, `schema_newer`, `host_disk_full`, `store_corrupt`; ConfigError `store_missing`
 * when a reader finds nothing.
 */
export function openStore(directory: string, options: StoreOptions = {}): Store {
  const mode = options.mode ?? "write";
  const clock = options.clock ?? Date.now;
  const file = join(directory, "state.db");
  if (mode === "read" && !existsSync(file))
    throw new ConfigError({
      code: "store_missing",
      message: "there is no state here",
      where: { file },
      remedy: "run a command that makes some, or name the project's directory",
    });
  const database = guarded(file, () => {
    if (mode === "write") mkdirSync(directory, { recursive: true });
    for (const part of [file, `${file}-wal`, `${file}-shm`]) requireRegular(part);
    return new Sqlite(file, { readonly: mode === "read", timeout: busyMilliseconds });
  });
  try {
    return guarded(file, () => build(directory, file, mode, database, clock, options.command));
  } catch (error) {
    database.close();
    throw error;
  }
}

function build(
  directory: string,
  file: string,
  mode: "write" | "read",
  database: Database,
  clock: () => number,
  command = process.argv.slice(1).join(" ") || "node",
): Store {
  let owner: Owner | null = null;
  if (mode === "write") {
    // Before anything is written: a file of another program stays as it is.
    checkVersion(database, file);
    database.pragma("journal_mode = WAL");
    database.pragma("synchronous = NORMAL");
    database.pragma("foreign_keys = ON");
    database.pragma("recursive_triggers = ON");
    database.pragma(`journal_size_limit = ${walLimitBytes}`);
    migrate(database, file);
    owner = takeOwnership(database, file, command, clock());
  } else if (checkVersion(database, file) < migrations().length) {
    throw new EngineError({
      code: "schema_older",
      message: "the state file was written by an older version of routesetter",
      where: { file },
      remedy: "run any command that writes to the project once; it brings the file up to date",
    });
  }
  const blobs = new Blobs(join(directory, "blobs"), { writable: mode === "write" });
  const beat = database.prepare<[number, string]>("UPDATE owner SET heartbeat = ? WHERE token = ?");
  const held = database.prepare<[string], 1>("SELECT 1 FROM owner WHERE token = ?").pluck();
  const store: Store = {
    directory,
    file,
    mode,
    database,
    blobs,
    events: new Events(database, file),
    lineage: new Lineage(database, file),
    clock,
    owner,
    currentOwner: () => guarded(file, () => readOwner(database, clock())),
    assertOwned() {
      if (owner && guarded(file, () => held.get(owner.token)) === undefined) throw ownerLost(file);
    },
    checkpoint() {
      const size = mode === "write" ? walSize(file) : 0;
      if (size <= walLimitBytes) return;
      database.pragma(`busy_timeout = ${size > walPressureBytes ? 1_000 : 20}`);
      try {
        database.pragma("wal_checkpoint(TRUNCATE)");
      } catch {
        // A full disk stands in the way: writes report that.
      } finally {
        database.pragma(`busy_timeout = ${busyMilliseconds}`);
      }
    },
    close() {
      clearInterval(timer);
      if (!database.open) return;
      if (owner) releaseOwnership(database, owner);
      database.close();
    },
  };
  const timer = setInterval(() => {
    if (!owner || !database.open || database.inTransaction) return;
    try {
      beat.run(clock(), owner.token);
      store.checkpoint();
    } catch {
      // A heartbeat that fails loses nothing: writes report what is wrong with the disk.
    }
  }, heartbeatEveryMilliseconds);
  timer.unref();
  return store;
}

/** SQLite would wait for a FIFO, or read a device for ever. */
function requireRegular(file: string): void {
  const status = statSync(file, { throwIfNoEntry: false });
  if (status === undefined || status.isFile()) return;
  throw new EngineError({
    code: "store_failed",
    message: "the state is kept in a regular file, and this is none",
    where: { file },
    remedy: "move it away, or use another state directory",
  });
}

/** Another process has taken the project from this one, so nothing more may be written. */
export function ownerLost(file: string): EngineError {
  return new EngineError({
    code: "owner_lost",
    message: "another process has taken this project, because this one sent no heartbeat for too long",
    where: { file },
    remedy: "end this process; the run goes on where the journal ends when it is resumed",
    details: { infrastructure: true },
  });
}

function walSize(file: string): number {
  try {
    return statSync(`${file}-wal`).size;
  } catch {
    return 0;
  }
}
