// One life of a sandbox: its namespaces from the first command (or file operation that needs a mount) to the kill. The
// monitor holds the mounts outside, process number 1 holds the pid namespace; both end with the control pipe.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import type { Alteration } from "./alteration.ts";
import type { LaunchShell } from "./inherited-descriptors.ts";
import { enterOf, launchOf } from "./launch.ts";
import { processTable, signalProcess } from "./process-table.ts";
import type { ResourceLimit } from "./resource-limits.ts";

/** The ends that a command gets: numbers of open files, which stay the caller's to close. */
export type CommandStreams = {
  readonly stdin: number | "ignore";
  readonly stdout: number;
  readonly stderr: number /** Seen by the command as descriptor 8. */;
  readonly script?: number;
};

export type LaunchOptions = {
  /** The sandbox's folder on the host, with `fstab` in it. */
  readonly directory: string;
  readonly holderPid: number | null;
  readonly groups: readonly string[];
  readonly resourceLimits: readonly ResourceLimit[];
  readonly loopback: string;
  readonly shell: LaunchShell;
  readonly perl: string | null;
  /** The filter of system calls lies in its file. */
  readonly filtered: boolean;
  readonly alter: Alteration;
};

/** A command in a life. `ended` resolves to its exit code, null when it ended without one. */
export type LifeCommand = {
  readonly processId: number;
  readonly insideMonitor: boolean;
  readonly ended: Promise<number | null>;
  kill(): void;
};

export interface Life {
  readonly monitorPid: number;
  readonly alive: boolean;
  readonly diagnostics: string;
  /** Resolves when the mounts stand; rejects never. False when the launch failed. */
  readonly ready: Promise<boolean>;
  readonly exited: Promise<void>;
  enter(bubblewrap: readonly string[], streams: CommandStreams): LifeCommand;
  /** Ends everything inside; resolves when the last process is gone. */
  kill(): Promise<void>;
}

let opened: number | undefined;
/** Beyond the standard streams, "ignore" would mean closed. */
const nullDevice = (): number => {
  opened ??= openSync("/dev/null", "r");
  return opened;
};

/** Starts a life, with a first command or without one. */
export function startLife(
  options: LaunchOptions,
  first: { bubblewrap: readonly string[]; streams: CommandStreams } | null,
): { life: Life; command: LifeCommand | null } {
  const launch = launchOf(options, first?.bubblewrap ?? [], first?.streams.script !== undefined);
  const child = spawn(launch.program, launch.words, {
    cwd: options.directory,
    env: launch.environment,
    stdio: [
      "ignore",
      "ignore",
      "pipe",
      "pipe",
      first === null ? "ignore" : first.streams.stdin === "ignore" ? nullDevice() : first.streams.stdin,
      first?.streams.stdout ?? "ignore",
      first?.streams.stderr ?? "ignore",
      "pipe",
      first?.streams.script ?? "ignore",
    ],
    detached: true,
  });
  const control = (child.stdio as unknown as Writable[])[7]!;
  control.on("error", () => undefined);
  let diagnostics = "";
  child.stderr!.on("data", (chunk) => {
    if (diagnostics.length < 4096) diagnostics += chunk;
  });
  const exited = exitOf(child);
  const status = readStatus(child.stdio[3] as Readable);
  const monitorPid = child.pid ?? 0;
  const life: Life = {
    monitorPid,
    get alive() {
      return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
    },
    get diagnostics() {
      return diagnostics;
    },
    ready: status.ready,
    exited,
    enter: (bubblewrap, streams) => enter(options, monitorPid, bubblewrap, streams),
    async kill() {
      control.destroy();
      const late = setTimeout(() => endByForce(monitorPid), 5000);
      await exited;
      clearTimeout(late);
    },
  };
  const command =
    first === null
      ? null
      : { processId: monitorPid, insideMonitor: true, ended: status.exitCode, kill: () => undefined };
  return { life, command };
}

/** Should the end of the control pipe not do: process number 1 takes all with it. */
function endByForce(monitorPid: number): void {
  for (const row of processTable()) if (row.parent === monitorPid) signalProcess(row.pid, "SIGKILL");
}

function enter(
  options: LaunchOptions,
  monitorPid: number,
  bubblewrap: readonly string[],
  streams: CommandStreams,
): LifeCommand {
  const launch = enterOf(options, monitorPid, bubblewrap, streams.script !== undefined);
  const child = spawn(launch.program, launch.words, {
    cwd: options.directory,
    env: launch.environment,
    stdio: [
      streams.stdin,
      streams.stdout,
      streams.stderr,
      "pipe",
      ...(streams.script === undefined ? [] : (["ignore", "ignore", "ignore", "ignore", streams.script] as const)),
    ],
    detached: true,
  });
  const status = readStatus(child.stdio[3] as Readable);
  child.on("error", () => undefined);
  return {
    processId: child.pid ?? 0,
    insideMonitor: false,
    ended: status.exitCode,
    kill: () => child.kill("SIGKILL"),
  };
}

/** Reads bubblewrap's status lines: one says that it is ready, one brings the exit code. */
function readStatus(stream: Readable): { ready: Promise<boolean>; exitCode: Promise<number | null> } {
  let onReady: (value: boolean) => void;
  let onExit: (value: number | null) => void;
  const ready = new Promise<boolean>((resolve) => {
    onReady = resolve;
  });
  const exitCode = new Promise<number | null>((resolve) => {
    onExit = resolve;
  });
  stream.on("error", () => undefined);
  const lines = createInterface({ input: stream });
  lines.on("line", (line) => {
    if (line.includes('"ready"')) onReady(true);
    const match = /"exit-code"\s*:\s*(\d+)/.exec(line);
    if (match !== null) onExit(Number(match[1]));
  });
  lines.on("close", () => {
    onReady(false);
    onExit(null);
  });
  return { ready, exitCode };
}

async function exitOf(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) {
    await once(child, "error");
    return;
  }
  child.on("error", () => undefined);
  await once(child, "exit");
}
