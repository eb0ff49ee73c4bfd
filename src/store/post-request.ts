import { join } from "node:path";
import { Sqlite } from "./sqlite.ts";
import { guarded } from "./storage-error.ts";

/**
 * Leaves a request for the process that owns the project. The one write that needs no ownership: a short transaction
 * that waits its turn. Errors: EngineError `host_disk_full`, `store_busy`.
 */
export function postRequest(
  directory: string,
  request: { kind: "cancel"; run: string; reason: string; time: number },
): void {
  const file = join(directory, "state.db");
  guarded(file, () => {
    const database = new Sqlite(file, { fileMustExist: true, timeout: 10_000 });
    try {
      database
        .prepare("INSERT INTO request (kind, run, reason, time) VALUES (@kind, @run, @reason, @time)")
        .run(request);
    } finally {
      database.close();
    }
  });
}
