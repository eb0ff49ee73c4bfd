// One life of a sandbox: its namespaces from the first command (or file operation that needs a mount) to the kill. The
// monitor holds the mounts outside, process number 1 holds the pid namespace; both end with the control pipe.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import type { LaunchShell } from "./inherited-descriptors.ts";
import { enterScript, innerScript, outerScript } from "./launch-script.ts";
import { launchEnvironment, requireTool } from "./tools.ts";

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
  /** Shell text that sets resource limits for the command. */
  readonly resourceLimits: string;
  readonly loopback: string;
  readonly shell: LaunchShell;
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
  const rootless = options.holderPid === null;
  const child = spawn(
    requireTool("unshare"),
    [
      ...(rootless ? ["--user", "--map-root-user"] : []),
      "--mount",
      options.shell.program,
      "-c",
      outerScript(options.holderPid, options.shell.closing),
      "sh",
      ...(first?.bubblewrap ?? []),
    ],
    {
      cwd: options.directory,
      env: {
        ...launchEnvironment,
        GROUPS: options.groups.join(" "),
        LIMITS: options.resourceLimits,
        SCRIPT: first?.streams.script === undefined ? "" : "yes",
        INNER: innerScript({ closeUserNamespaces: rootless, loopback: options.loopback }),
      },
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
    },
  );
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
      child.kill("SIGKILL");
      await exited;
    },
  };
  const command =
    first === null
      ? null
      : { processId: monitorPid, insideMonitor: true, ended: status.exitCode, kill: () => undefined };
  return { life, command };
}

function enter(
  options: LaunchOptions,
  monitorPid: number,
  bubblewrap: readonly string[],
  streams: CommandStreams,
): LifeCommand {
  const child = spawn(
    requireTool(options.shell.program),
    ["-c", enterScript(options.holderPid, options.shell.closing), "sh", ...bubblewrap],
    {
      cwd: options.directory,
      env: {
        ...launchEnvironment,
        GROUPS: options.groups.join(" "),
        LIMITS: options.resourceLimits,
        MONITOR: String(monitorPid),
        SCRIPT: streams.script === undefined ? "" : "yes",
      },
      stdio: [
        streams.stdin,
        streams.stdout,
        streams.stderr,
        "pipe",
        ...(streams.script === undefined ? [] : (["ignore", "ignore", "ignore", "ignore", streams.script] as const)),
      ],
      detached: true,
    },
  );
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
