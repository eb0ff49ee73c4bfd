import { EngineError } from "../../contract/index.ts";
import { openStore, postRequest } from "../../store/index.ts";
import { openLocalEngine } from "../local/index.ts";
import { leaseIsLive, recordOf, runRows } from "../local/run-record.ts";

const pollMilliseconds = 100;

/**
 * Cancels a run from any process. The owner, when one lives, is asked to; else it is done here. Resolves with
 * `cancelled`, or `requested` when the owner's steps have not ended within the wait (default 5,000 ms), or the status
 * of a run that had ended before. Errors: EngineError `run_unknown`; ConfigError `store_missing`.
 */
export async function cancelRun(
  directory: string,
  id: string,
  reason: string,
  options: { waitMilliseconds?: number } = {},
): Promise<"cancelled" | "requested" | "done" | "failed"> {
  const reader = openStore(directory, { mode: "read" });
  try {
    const statusNow = () => {
      const [row] = runRows(reader, id);
      return row && recordOf(row, leaseIsLive(reader), reader.file).status;
    };
    const status = statusNow();
    if (!status)
      throw new EngineError({
        code: "run_unknown",
        message: `there is no run ${JSON.stringify(id)} in this project`,
        where: { file: reader.file },
        remedy: "`runs list` names those that there are",
      });
    if (status === "done" || status === "cancelled") return status;
    if (!reader.currentOwner()?.alive) {
      await cancelHere(directory, id, reason);
      return "cancelled";
    }
    postRequest(directory, { kind: "cancel", run: id, reason, time: reader.clock() });
    const tries = Math.ceil((options.waitMilliseconds ?? 5_000) / pollMilliseconds);
    for (let i = 0; i < tries; i++) {
      await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
      const now = statusNow();
      if (!reader.currentOwner()?.alive && now !== "cancelled") {
        await cancelHere(directory, id, reason);
        return "cancelled";
      }
      if (now === "cancelled" || now === "done" || (now === "failed" && status !== "failed")) return now;
    }
    return "requested";
  } finally {
    reader.close();
  }
}

async function cancelHere(directory: string, id: string, reason: string): Promise<void> {
  const store = openStore(directory);
  try {
    const engine = openLocalEngine({ store });
    await engine.cancel(id, reason);
    await engine.close();
  } finally {
    store.close();
  }
}
