import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { GateReport } from "../contract/index.ts";
import { runGauntlet } from "../gates/index.ts";
import { limitConcurrency } from "../rollouts/index.ts";
import type { Task } from "../tasks/index.ts";
import type { Project } from "./project.ts";
import { allowedVariables, openWorkshop, type SandboxOptions } from "./workshop.ts";

export type GateRoomOptions = {
  readonly runId: string;
  readonly concurrency: number;
  readonly seed: number;
  readonly repeats: number;
  readonly gates: readonly string[];
  readonly backend: SandboxOptions["backend"] | null;
  readonly builder: SandboxOptions["builder"] | null;
};

/** The gauntlet on this machine's sandboxes: one bound on the trials of all tasks, and a file of their measured times. */
export type GateRoom = {
  /** `path` is the task's as people know it, for the commands in the report. */
  pass(task: Task, path: string, signal: AbortSignal): Promise<{ report: GateReport; trials: number }>;
  close(): Promise<void>;
};

export async function openGateRoom(project: Project, options: GateRoomOptions): Promise<GateRoom> {
  const { gates, seed, repeats } = options;
  const workshop = await openWorkshop(project, options);
  const turn = limitConcurrency(options.concurrency);
  const timingsFile = join(project.stateDirectory, "timings", `${options.runId}.jsonl`);
  await mkdir(join(project.stateDirectory, "timings"), { recursive: true });
  return {
    async pass(task, path, signal) {
      const { report, timings } = await runGauntlet(task, {
        backend: workshop.backend,
        images: workshop.images,
        level: "core",
        seed,
        repeats,
        path,
        turn,
        signal,
        variables: allowedVariables(project),
        ...(gates.length > 0 ? { gates } : {}),
      });
      signal.throwIfAborted();
      await appendFile(timingsFile, `${JSON.stringify({ task: task.id, digest: task.digest, ...timings })}\n`);
      return { report, trials: Object.keys(timings.trials).length };
    },
    close: () => workshop.close(),
  };
}
