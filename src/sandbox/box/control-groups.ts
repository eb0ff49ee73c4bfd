// Control groups, version 1 or 2, for what the kernel can bound only there: resident memory and numbers of processes.
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

const root = "/sys/fs/cgroup";
const prefix = "routesetter-";

export type ControlGroups = {
  readonly memory: string | null;
  readonly processes: string | null;
};

/** The folders in which groups can be made; null where they can't. */
export function findControlGroups(): ControlGroups {
  if (process.getuid?.() !== 0) return { memory: null, processes: null };
  if (existsSync(join(root, "cgroup.controllers"))) {
    const unified = unifiedBase();
    return { memory: unified, processes: unified };
  }
  return {
    memory: firstVersionBase("memory", "memory.limit_in_bytes"),
    processes: firstVersionBase("pids", "cgroup.procs"),
  };
}

function firstVersionBase(controller: string, file: string): string | null {
  const own = readFileSync("/proc/self/cgroup", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .find((fields) => fields[1]?.split(",").includes(controller))?.[2];
  for (const path of [join(root, controller, own ?? "/"), join(root, controller)]) {
    if (existsSync(join(path, file)) && isWritable(path)) return path;
  }
  return null;
}

/** With version 2 a group that has processes can't have children with controllers; only the root is exempt. */
function unifiedBase(): string | null {
  try {
    if (!isWritable(root)) return null;
    writeFileSync(join(root, "cgroup.subtree_control"), "+memory +pids");
    return root;
  } catch {
    return null;
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** What happened in a group, as counts that only grow. */
export type GroupEvents = { readonly memoryKills: number; readonly processRefusals: number };

export type SandboxGroup = {
  /** The folders whose `cgroup.procs` a process must write to. */
  readonly folders: readonly string[];
  readonly countsProcesses: boolean;
  events(): GroupEvents;
  remove(): Promise<void>;
};

/** Processes of the sandbox's own that count against the number: its monitors. */
const ownProcesses = 12;

export function makeGroup(
  groups: ControlGroups,
  name: string,
  limits: { memoryBytes?: number; processes?: number },
): SandboxGroup {
  const folders = new Set<string>();
  let memory: string | null = null;
  let processes: string | null = null;
  if (limits.memoryBytes !== undefined && groups.memory !== null) {
    memory = join(groups.memory, prefix + name);
    mkdirSync(memory, { recursive: true });
    folders.add(memory);
    if (existsSync(join(memory, "memory.max"))) {
      writeFileSync(join(memory, "memory.max"), String(limits.memoryBytes));
      tryWrite(join(memory, "memory.swap.max"), "0");
    } else {
      writeFileSync(join(memory, "memory.limit_in_bytes"), String(limits.memoryBytes));
      tryWrite(join(memory, "memory.memsw.limit_in_bytes"), String(limits.memoryBytes));
    }
  }
  if (limits.processes !== undefined && groups.processes !== null) {
    processes = join(groups.processes, prefix + name);
    mkdirSync(processes, { recursive: true });
    folders.add(processes);
    writeFileSync(join(processes, "pids.max"), String(limits.processes + ownProcesses));
  }
  return {
    folders: [...folders],
    countsProcesses: processes !== null,
    events: () => ({
      memoryKills: memory === null ? 0 : counter(memory, ["memory.events", "memory.oom_control"], "oom_kill"),
      processRefusals: processes === null ? 0 : counter(processes, ["pids.events"], "max"),
    }),
    async remove() {
      for (const folder of folders) await removeGroup(folder);
    },
  };
}

function counter(folder: string, files: readonly string[], name: string): number {
  for (const file of files) {
    try {
      const line = readFileSync(join(folder, file), "utf8")
        .split("\n")
        .find((text) => text.startsWith(`${name} `));
      if (line !== undefined) return Number(line.slice(name.length + 1));
    } catch {}
  }
  return 0;
}

function tryWrite(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch {}
}

async function removeGroup(folder: string): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    try {
      rmdirSync(folder);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

/** Ends the processes in groups whose name begins with a label for which `isGone` holds, and removes the groups. */
export async function reapGroups(groups: ControlGroups, isGone: (label: string) => boolean): Promise<string[]> {
  const removed: string[] = [];
  for (const base of new Set([groups.memory, groups.processes])) {
    if (base === null) continue;
    for (const name of readdirSync(base)) {
      const label = /^routesetter-(\d+-\d+-[0-9a-f]{8})\./.exec(name)?.[1];
      if (label === undefined || !isGone(label)) continue;
      const folder = join(base, name);
      for (const pid of readFileSync(join(folder, "cgroup.procs"), "utf8").split("\n").filter(Boolean)) {
        try {
          process.kill(Number(pid), "SIGKILL");
        } catch {}
      }
      await removeGroup(folder);
      removed.push(folder);
    }
  }
  return removed;
}
