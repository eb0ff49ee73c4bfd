// The one process that may write a project's state: a row with its name and heartbeat, and a test of whether it lives.
import { randomUUID } from "node:crypto";
import type { Database } from "better-sqlite3";
import { EngineError } from "../contract/index.ts";
import { isAlive, ownIdentity, type ProcessIdentity } from "./process-identity.ts";

/** After this long without a heartbeat an owner on another host counts as dead. */
export const heartbeatLimitMilliseconds = 30_000;

/** Tokens that this process has let go of, though their row may stay when the disk is full. */
const released = new Set<string>();

export type Owner = ProcessIdentity & {
  readonly token: string;
  readonly command: string;
  readonly since: number;
  readonly heartbeat: number;
};

/** The owner row, with whether that process lives; null when nobody owns the project. */
export function readOwner(database: Database, time: number): (Owner & { readonly alive: boolean }) | null {
  const row = database.prepare<[], Owner>("SELECT * FROM owner").get();
  if (!row) return null;
  const alive = released.has(row.token) ? "no" : isAlive(row);
  return {
    ...row,
    alive: alive === "yes" || (alive === "unknown" && time - row.heartbeat < heartbeatLimitMilliseconds),
  };
}

/** Names an owner to a person. */
export function describeOwner(owner: Owner): string {
  return `process ${owner.pid} on ${owner.host} since ${new Date(owner.since).toISOString()} (${owner.command})`;
}

/** Takes the project, or throws EngineError `project_owned` that names the living owner. */
export function takeOwnership(database: Database, file: string, command: string, time: number): Owner {
  const owner: Owner = { ...ownIdentity(), token: randomUUID(), command, since: time, heartbeat: time };
  const take = database.transaction(() => {
    const current = readOwner(database, time);
    if (current?.alive)
      throw new EngineError({
        code: "project_owned",
        message: `this project is in use by ${describeOwner(current)}`,
        where: { file },
        remedy: "wait for it, stop it, or work in another directory; `runs list` and `runs show` work meanwhile",
        isRetryable: true,
        details: {
          pid: current.pid,
          host: current.host,
          since: new Date(current.since).toISOString(),
          command: current.command,
        },
      });
    database
      .prepare(
        `INSERT OR REPLACE INTO owner (one, token, pid, started, host, namespace, command, since, heartbeat)
         VALUES (1, @token, @pid, @started, @host, @namespace, @command, @since, @heartbeat)`,
      )
      .run(owner);
  });
  take.immediate();
  return owner;
}

/** Lets the project go. */
export function releaseOwnership(database: Database, owner: Owner): void {
  released.add(owner.token);
  try {
    database.prepare("DELETE FROM owner WHERE token = ?").run(owner.token);
  } catch {
    // The row stays when the disk is full; whoever comes next sees that this process is gone.
  }
}
