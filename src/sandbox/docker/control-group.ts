// A container's control group on this machine: who runs in it, and how often its limits fired. Versions 1 and 2.
import { existsSync, readFileSync } from "node:fs";
import { processTable } from "../box/process-table.ts";

export type LimitCounters = { readonly memory: number; readonly processes: number };

export class ControlGroup {
  readonly #container: string;
  readonly #first: number;
  readonly #processes: string;
  readonly #memory: string;

  private constructor(container: string, first: number, processes: string, memory: string) {
    this.#container = container;
    this.#first = first;
    this.#processes = processes;
    this.#memory = memory;
  }

  /** The group of the container whose first process has this number; null when the engine is on another machine. */
  static of(containerId: string, firstProcess: number): ControlGroup | null {
    let text: string;
    try {
      text = readFileSync(`/proc/${firstProcess}/cgroup`, "utf8");
    } catch {
      return null;
    }
    if (!text.includes(containerId)) return null;
    const path = (controller: string): string | undefined =>
      text
        .split("\n")
        .find((line) => line.split(":")[1]?.split(",").includes(controller))
        ?.split(":")[2];
    const unified =
      text
        .split("\n")
        .find((line) => line.startsWith("0::"))
        ?.slice(3) ?? "";
    const [pids, memory] = [path("pids"), path("memory")];
    const folders = [
      pids === undefined ? `/sys/fs/cgroup${unified}` : `/sys/fs/cgroup/pids${pids}`,
      memory === undefined ? `/sys/fs/cgroup${unified}` : `/sys/fs/cgroup/memory${memory}`,
    ] as const;
    return existsSync(`${folders[0]}/cgroup.procs`) ? new ControlGroup(containerId, firstProcess, ...folders) : null;
  }

  /** Living processes but the first and its child, by their numbers on this machine. */
  members(): number[] {
    let text = "";
    try {
      text = readFileSync(`${this.#processes}/cgroup.procs`, "utf8");
    } catch {}
    const rows = processTable();
    const session = rows.find((row) => row.pid === this.#first)?.session;
    const alive = new Set(
      rows.filter((row) => row.parent !== this.#first || row.session !== session).map((row) => row.pid),
    );
    return text
      .split("\n")
      .map(Number)
      .filter((pid) => pid > 0 && pid !== this.#first && alive.has(pid));
  }

  /** Processes that count against the limit, dead ones that nobody has reaped included. */
  current(): number {
    try {
      return Number(readFileSync(`${this.#processes}/pids.current`, "utf8"));
    } catch {
      return 0;
    }
  }

  counters(): LimitCounters {
    const read = (path: string, field: string): number => {
      try {
        return Number(new RegExp(`^${field} (\\d+)$`, "m").exec(readFileSync(path, "utf8"))?.[1] ?? 0);
      } catch {
        return 0;
      }
    };
    return {
      memory:
        read(`${this.#memory}/memory.oom_control`, "oom_kill") + read(`${this.#memory}/memory.events`, "oom_kill"),
      processes: read(`${this.#processes}/pids.events`, "max"),
    };
  }

  /** Its number on this machine. */
  get firstProcess(): number {
    return this.#first;
  }

  /** Whether the first process lives and its number has not become somebody else's. */
  get firstProcessAlive(): boolean {
    try {
      return readFileSync(`/proc/${this.#first}/cgroup`, "utf8").includes(this.#container);
    } catch {
      return false;
    }
  }
}
