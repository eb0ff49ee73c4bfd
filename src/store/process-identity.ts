// Who a process is, so that another one can tell whether it still lives: a pid alone is reused.
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

export type ProcessIdentity = {
  readonly pid: number;
  /** Start time in ticks since boot and the boot's id; empty where the system doesn't say. */
  readonly started: string;
  readonly host: string;
  /** The pid namespace: the same pid in another container is another process. */
  readonly namespace: string;
};

function attempt(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}

function startOf(pid: number): string {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  if (stat === "") return "";
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (fields[0] === "Z" || fields[0] === "X") return "";
  const boot = attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());
  return `${fields[19]}@${boot}`;
}

/** The identity of this process. */
export function ownIdentity(): ProcessIdentity {
  return {
    pid: process.pid,
    started: startOf(process.pid),
    host: hostname(),
    namespace: attempt(() => readlinkSync("/proc/self/ns/pid")),
  };
}

/**
 * Whether the process lives: "yes", "no" (gone, or its pid belongs to another process now), or "unknown" when it ran on
 * another host or in another pid namespace, where only its heartbeat can tell.
 */
export function isAlive(identity: ProcessIdentity, own = ownIdentity()): "yes" | "no" | "unknown" {
  if (identity.host !== own.host || identity.namespace !== own.namespace) return "unknown";
  if (identity.started !== "") return startOf(identity.pid) === identity.started ? "yes" : "no";
  try {
    process.kill(identity.pid, 0);
    return "yes";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM" ? "yes" : "no";
  }
}
