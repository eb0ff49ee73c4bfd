import { EngineError, type Json } from "../contract/index.ts";

const fullCodes = new Set(["ENOSPC", "EDQUOT", "EIO", "EROFS"]);

/**
 * What a failure of the disk or of SQLite means to a run, as an EngineError. `host_disk_full` (details.infrastructure)
 * for a full or failing disk, `store_corrupt`, `store_busy`, else `store_failed`. An error that already is an
 * EngineError, or that storage didn't cause, comes back as it is.
 */
export function storageError(error: unknown, file: string): unknown {
  if (EngineError.isInstance(error) || !(error instanceof Error)) return error;
  const code = (error as Error & { code?: unknown }).code;
  if (typeof code !== "string") return error;
  const make = (name: string, message: string, remedy: string) =>
    new EngineError({
      code: name,
      message: `${message} (${code}: ${error.message})`,
      where: { file },
      remedy,
      cause: error,
      details: { infrastructure: true, reason: code },
    });
  if (fullCodes.has(code) || code.startsWith("SQLITE_FULL") || code.startsWith("SQLITE_IOERR"))
    return make(
      "host_disk_full",
      "the disk that holds the state is full or fails",
      "free some space there and resume the run; every step that had finished is kept",
    );
  if (code.startsWith("SQLITE_CORRUPT") || code.startsWith("SQLITE_NOTADB"))
    return make(
      "store_corrupt",
      "the state file is damaged",
      "put a backup in its place, or move it away and start anew",
    );
  if (code.startsWith("SQLITE_BUSY") || code.startsWith("SQLITE_LOCKED"))
    return make("store_busy", "another process keeps the state file locked", "wait for it to end, then try again");
  if (code.startsWith("SQLITE_")) return make("store_failed", "the state file refused a statement", "see the cause");
  return error;
}

/** The value of a JSON text that was stored. Errors: EngineError `store_corrupt`. */
export function storedJson(text: string, file: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    throw new EngineError({
      code: "store_corrupt",
      message: `the state file holds something that is no JSON: ${JSON.stringify(text.slice(0, 80))}`,
      where: { file },
      remedy: "put a backup in its place, or move it away and start anew",
      cause,
    });
  }
}

/** Runs `work` and turns a storage failure into its EngineError. */
export function guarded<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storageError(error, file);
  }
}
