// Keeps a sandbox's limits and says which one ended a command. The kernel keeps memory and processes (control groups), CPU
// time and the size of one file (resource limits); the sum of what is written is watched, as is memory without groups.
import { readFileSync, statfsSync } from "node:fs";
import { join } from "node:path";
import type { Cause, SandboxLimits } from "../../contract/index.ts";
import type { GroupEvents, SandboxGroup } from "./control-groups.ts";
import { type DiskUsage, diskUsage } from "./disk-usage.ts";
import { type ResourceLimit, usualLimits } from "./resource-limits.ts";

const pollMilliseconds = 100;
const idleMilliseconds = 1000;
/** Without a drop of the host's free space the tree is still walked this often. */
const walkMilliseconds = 2000;

/** The file system's own bookkeeping may grow by this much for files that were there already. */
const slackBytes = 128 * 1024;

export type LimitWatch = {
  /** Called once, after the command ended; `exitCode` as bubblewrap told it, `diagnostics` its standard error. */
  finish(exitCode: number | null, diagnostics?: () => string): Promise<Cause | null>;
};

export class LimitKeeper {
  readonly #limits: SandboxLimits;
  readonly #group: SandboxGroup | null;
  readonly #directory: string;
  readonly #watchMemory: boolean;
  readonly #members: () => readonly number[];
  /** What was found at the last walk; null when nobody knows. */
  #known: (DiskUsage & { readonly free: number; readonly at: number }) | null = null;

  constructor(options: {
    limits: SandboxLimits;
    group: SandboxGroup | null;
    directory: string;
    watchMemory: boolean;
    members: () => readonly number[];
  }) {
    this.#limits = options.limits;
    this.#group = options.group;
    this.#directory = options.directory;
    this.#watchMemory = options.watchMemory && options.limits.memoryBytes !== undefined;
    this.#members = options.members;
  }

  resourceLimits(processesByUser: number | null): ResourceLimit[] {
    const { cpuSeconds, diskBytes } = this.#limits;
    const limits = [...usualLimits];
    if (cpuSeconds !== undefined) {
      const seconds = Math.max(1, Math.ceil(cpuSeconds));
      limits.push({ resource: "cpu", soft: seconds, hard: seconds + 2 });
    }
    if (diskBytes !== undefined) limits.push({ resource: "file-size", soft: diskBytes, hard: diskBytes });
    if (processesByUser !== null) limits.push({ resource: "processes", soft: processesByUser, hard: processesByUser });
    return limits;
  }

  /** Watches while a command runs; `stop` ends it with everything inside that counts against the limit. */
  async watch(stop: (cause: Cause) => void): Promise<LimitWatch> {
    const { diskBytes, memoryBytes } = this.#limits;
    const before = this.#group?.events();
    const first = diskBytes === undefined ? null : await this.#startingUsage(diskBytes);
    let stopped: Cause | null = null;
    const end = (cause: Cause): void => {
      stopped ??= cause;
      stop(cause);
    };
    const timers: NodeJS.Timeout[] = [];
    if (first !== null) timers.push(this.#watchDisk(first.bytes, diskBytes!, end));
    if (this.#watchMemory) {
      timers.push(
        setInterval(() => {
          if (residentBytes(this.#members()) > memoryBytes!) end(memoryLimit(memoryBytes!));
        }, pollMilliseconds),
      );
    }
    return {
      finish: async (exitCode, diagnostics) => {
        for (const timer of timers) clearInterval(timer);
        const cause =
          stopped ??
          (this.#refusedByUser(exitCode, diagnostics)
            ? processLimit(this.#limits.processes!)
            : await this.#judge(exitCode, before, this.#group?.events(), first));
        if (cause !== null) this.#known = null;
        return cause;
      },
    };
  }

  /** Looks between commands too: what was left in the background may still write. Returns how to stop looking. */
  watchIdle(kill: () => void): () => void {
    const quota = this.#limits.diskBytes;
    if (quota === undefined) return () => undefined;
    let busy = false;
    let atStart: number | null = null;
    const timer = setInterval(() => {
      if (busy || (atStart !== null && !this.#mayExceed(quota))) return;
      busy = true;
      void this.#walk()
        .then(({ bytes }) => {
          atStart ??= Math.max(quota, bytes);
          if (bytes > atStart + slackBytes) kill();
          atStart = Math.max(quota, Math.min(atStart, bytes));
        })
        .catch(() => undefined)
        .finally(() => {
          busy = false;
        });
    }, idleMilliseconds);
    timer.unref();
    return () => clearInterval(timer);
  }

  /** Without a control group nobody counts refused forks; what the programs say of it must do. */
  #refusedByUser(exitCode: number | null, diagnostics: (() => string) | undefined): boolean {
    if (this.#limits.processes === undefined || exitCode === 0 || diagnostics === undefined) return false;
    if (this.#group?.countsProcesses) return false;
    return /can(no|')t fork|fork: .*unavailable|Resource temporarily unavailable/i.test(diagnostics());
  }

  async #judge(
    exitCode: number | null,
    before: GroupEvents | undefined,
    after: GroupEvents | undefined,
    first: DiskUsage | null,
  ): Promise<Cause | null> {
    const { memoryBytes, processes, cpuSeconds, diskBytes } = this.#limits;
    const failed = exitCode !== 0;
    if (failed && before !== undefined && after !== undefined) {
      if (after.memoryKills > before.memoryKills) return memoryLimit(memoryBytes!);
      if (after.processRefusals > before.processRefusals) return processLimit(processes!);
    }
    if (cpuSeconds !== undefined && exitCode === 128 + 24) return cpuLimit(cpuSeconds);
    if (first !== null && diskBytes !== undefined) {
      if (exitCode === 128 + 25) return diskLimit(diskBytes);
      const last = failed || this.#mayExceed(diskBytes) ? await this.#walk() : this.#known!;
      if (last.bytes > diskBytes && last.bytes > first.bytes + (first.bytes > diskBytes ? slackBytes : 0))
        return diskLimit(diskBytes);
      if (failed && last.largestFile >= diskBytes && last.largestFile > first.largestFile) return diskLimit(diskBytes);
    }
    return null;
  }

  /** Over the quota, what counts is growth from here on, so that files can be removed; then the start must be exact. */
  async #startingUsage(quota: number): Promise<DiskUsage> {
    const known = this.#known;
    return known !== null && known.bytes <= quota ? known : this.#walk();
  }

  async #walk(): Promise<DiskUsage> {
    const usage = await diskUsage([join(this.#directory, "u"), join(this.#directory, "stage/shm")]);
    this.#known = { ...usage, free: this.#free(), at: performance.now() };
    return usage;
  }

  /** Of a sandbox that was disposed of meanwhile: what it was. */
  #free(): number {
    try {
      const status = statfsSync(this.#directory);
      return status.bfree * status.bsize;
    } catch {
      return this.#known?.free ?? 0;
    }
  }

  /** Whether a walk is worth it: the host has lost enough free space since the last one, or that was long ago. */
  #mayExceed(quota: number): boolean {
    const known = this.#known;
    if (known === null || performance.now() - known.at > walkMilliseconds) return true;
    return known.bytes + Math.max(0, known.free - this.#free()) > quota;
  }

  #watchDisk(atStart: number, quota: number, end: (cause: Cause) => void): NodeJS.Timeout {
    let busy = false;
    return setInterval(() => {
      if (busy || !this.#mayExceed(quota)) return;
      busy = true;
      void this.#walk()
        .then((usage) => {
          if (usage.bytes > quota && usage.bytes > atStart + slackBytes) end(diskLimit(quota));
        })
        .catch(() => undefined)
        .finally(() => {
          busy = false;
        });
    }, pollMilliseconds);
  }
}

/** Resident bytes of processes together, shared pages counted in each. */
export function residentBytes(pids: readonly number[]): number {
  let pages = 0;
  for (const pid of pids) {
    try {
      pages += Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]);
    } catch {}
  }
  return pages * 4096;
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 ** 2)} MiB`;
const memoryLimit = (limit: number): Cause => ({
  code: "memory_limit",
  message: `its processes together wanted more than ${megabytes(limit)} of memory`,
  limit,
});
const processLimit = (limit: number): Cause => ({
  code: "process_limit",
  message: `it wanted more than ${limit} processes`,
  limit,
});
const diskLimit = (limit: number): Cause => ({
  code: "disk_limit",
  message: `it wrote more than ${megabytes(limit)}`,
  limit,
});
const cpuLimit = (limit: number): Cause => ({
  code: "cpu_limit",
  message: `one of its processes used more than ${limit} seconds of CPU time`,
  limit,
});
