// One builder at a time for one content, across processes: a file that names its owner; a dead owner's file is taken.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { isOwnerAlive, ownerLabel } from "../box/owner-label.ts";

/** Runs `work` while holding the file; waits while another process that lives holds it. */
export async function withFileLock<T>(
  file: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      writeFileSync(file, ownerLabel(), { flag: "wx" });
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    let holder = "";
    try {
      holder = readFileSync(file, "utf8");
    } catch {
      continue;
    }
    if (holder !== "" && !isOwnerAlive(holder)) rmSync(file, { force: true });
    else await sleep(100, undefined, signal ? { signal } : {});
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}
