// Who owns a sandbox: a process, named so that a later process with the same number is never mistaken for it.
import { readFileSync } from "node:fs";

let boot: string | undefined;
const bootId = (): string => {
  boot ??= readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim().slice(0, 8);
  return boot;
};

/** Ticks since boot at which the process started, or null when there is none. */
export function startTime(pid: number): string | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

/** `PID-START-BOOT` of a process: pid, start time in ticks, first digits of the boot id. */
export function ownerLabel(pid: number = process.pid): string {
  return `${pid}-${startTime(pid) ?? 0}-${bootId()}`;
}

/** Whether the process that the label names still runs; false for text that is no label. */
export function isOwnerAlive(label: string): boolean {
  const match = /^(\d+)-(\d+)-([0-9a-f]{8})$/.exec(label);
  if (match === null) return false;
  return match[3] === bootId() && startTime(Number(match[1])) === match[2];
}
