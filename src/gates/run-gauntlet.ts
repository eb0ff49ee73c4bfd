import type { GateReport, Trajectory } from "../contract/index.ts";
import type { Task } from "../tasks/index.ts";
import { type GateTimings, type GauntletOptions, passGauntlet } from "./gauntlet.ts";
import { type SandboxTrialsOptions, sandboxTrials } from "./sandbox-trials.ts";

export type RunGauntletOptions = Omit<GauntletOptions, "now"> &
  Omit<SandboxTrialsOptions, "seed" | "onTrajectory" | "now"> & {
    readonly now?: () => number;
    /** Keep each trial's trajectory. */
    readonly keepTrajectories?: boolean;
  };

/**
 * Runs a task through the gates of a level in real sandboxes. Same task, seed and images: the same report, byte for
 * byte; times are in `timings` only. Errors: ConfigError for unknown gates and levels; faults of the machine are
 * `error` in the report, never thrown.
 */
export async function runGauntlet(
  task: Task,
  options: RunGauntletOptions,
): Promise<{ report: GateReport; timings: GateTimings; trajectories: Record<string, Trajectory> }> {
  const now = options.now ?? (() => performance.now());
  const trajectories: Record<string, Trajectory> = {};
  const source = sandboxTrials(task, {
    ...options,
    now,
    ...(options.keepTrajectories
      ? {
          onTrajectory: (key: string, trajectory: Trajectory) => {
            trajectories[key] = trajectory;
          },
        }
      : {}),
  });
  const { report, timings } = await passGauntlet(task, source, { ...options, now });
  return { report, timings, trajectories };
}
