// The host's view of processes: who is whose child, in which session, in which pid namespace.
import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";

export type ProcessRow = {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
  readonly name: string;
};

/** The kernel's mark of a process that is on its way out. */
const exiting = 4;

/** Processes that are neither dead nor dying. */
export function processTable(): ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const entry of readdirSync("/proc")) {
    const pid = Number(entry);
    if (!Number.isInteger(pid)) continue;
    try {
      const text = readFileSync(`/proc/${pid}/stat`, "utf8");
      const close = text.lastIndexOf(")");
      const fields = text.slice(close + 2).split(" ");
      if (fields[0] === "Z" || fields[0] === "X" || (Number(fields[6]) & exiting) !== 0) continue;
      rows.push({
        pid,
        parent: Number(fields[1]),
        session: Number(fields[3]),
        name: text.slice(text.indexOf("(") + 1, close),
      });
    } catch {}
  }
  return rows;
}

/** `pid`'s descendants, and whoever shares a session with one of them; `pid` itself not counted. */
export function treeOf(pid: number, rows: readonly ProcessRow[]): ProcessRow[] {
  if (pid <= 1) return [];
  const members = new Set<number>([pid]);
  for (let grown = true; grown; ) {
    grown = false;
    for (const row of rows) {
      if (!members.has(row.pid) && members.has(row.parent)) {
        members.add(row.pid);
        grown = true;
      }
    }
  }
  members.delete(pid);
  const sessions = new Set(
    rows.filter((row) => members.has(row.pid) && members.has(row.session)).map((row) => row.session),
  );
  return rows.filter((row) => row.pid !== pid && (members.has(row.pid) || sessions.has(row.session)));
}

export function namespaceOf(pid: number, kind: "pid" | "pid_for_children"): string | null {
  try {
    return readlinkSync(`/proc/${pid}/ns/${kind}`);
  } catch {
    return null;
  }
}

export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {}
}

/** The shell, bubblewrap and its child beside what the policy's commands start. */
const launchProcesses = 3;

/**
 * What this user runs already that the kernel counts against RLIMIT_NPROC in a sandbox: since Linux 5.14 only what is in
 * the sandbox's user namespace, before that every process of the user.
 */
export function processesCountedAlready(release: string): number {
  const [major = 0, minor = 0] = release.split(".").map((part) => Number.parseInt(part, 10));
  return major > 5 || (major === 5 && minor >= 14) ? launchProcesses : countOwnProcesses();
}

function countOwnProcesses(): number {
  const uid = process.getuid?.() ?? 0;
  let count = 0;
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      if (statSync(`/proc/${entry}`).uid === uid) count += readdirSync(`/proc/${entry}/task`).length;
    } catch {}
  }
  return count;
}

/** Whether the process number 1 that a monitor started is still there. */
export const hasInit = (monitorPid: number): boolean =>
  processTable().some((row) => row.parent === monitorPid && (row.name === "cat" || row.name === "init"));
