import { type FileChange, trajectoryVersion } from "../contract/index.ts";
import { type OpenedTerminal, type OpenTerminalOptions, openTerminal } from "../environments/index.ts";
import type { Task } from "../tasks/index.ts";
import type { Agent } from "./agent.ts";
import { attributeError } from "./attribution.ts";
import { runEpisode } from "./episode.ts";
import { type BaselineSource, expectedChecks } from "./oracle-baseline.ts";
import { runOrderedTrial, type SingleTrialOptions } from "./ordered-trial.ts";
import type { TrialResult } from "./trial-result.ts";

export type TrialOptions = OpenTerminalOptions & {
  readonly task: Task;
  readonly agent: Agent;
  readonly seed?: number;
  readonly attempt?: number;
  readonly maximumSteps?: number;
  /** In place of the task's own limit on the agent's time. */
  readonly timeoutMilliseconds?: number;
  /** Tells the task's faults from the agent's; without it a verifier that says nothing usable is the task's fault. */
  readonly baseline?: BaselineSource;
  /** Also look at what the agent changed. */
  readonly collectChanges?: boolean;
  readonly now?: () => number;
};

/**
 * One trial of an agent on a terminal task: a fresh sandbox for the agent, a fresh one for the verifier. Never rejects:
 * whatever goes wrong is an outcome with its cause.
 */
export function runTrial(options: TrialOptions): Promise<TrialResult> {
  if (options.task.steps.length === 0) return runSingleTrial(options);
  return runOrderedTrial(options, runSingleTrial).catch((error) =>
    failedTrial(options, error, { cancelled: options.signal?.aborted === true, milliseconds: 0 }),
  );
}

/** `onWorked` gets the terminal when the agent's work is done, before it is verified. */
async function runSingleTrial(options: SingleTrialOptions): Promise<TrialResult> {
  const { task, agent, baseline, signal } = options;
  const now = options.now ?? (() => performance.now());
  const begun = now();
  let terminal: OpenedTerminal;
  try {
    signal?.throwIfAborted();
    terminal = await openTerminal(task, options);
  } catch (error) {
    return failedTrial({ task, agent, ...(options.attempt ? { attempt: options.attempt } : {}) }, error, {
      cancelled: signal?.aborted === true,
      milliseconds: now() - begun,
    });
  }
  const opened = now();
  let changes: readonly FileChange[] | null = null;
  const isOracle = agent.name === "oracle";
  const timeout = options.timeoutMilliseconds ?? terminal.settings.agent.timeoutMilliseconds;
  try {
    const episode = await runEpisode({
      environment: terminal.environment,
      judge: terminal.judge,
      operator: terminal.operator,
      agent,
      task,
      now,
      ...(options.seed === undefined ? {} : { seed: options.seed }),
      ...(options.attempt === undefined ? {} : { attempt: options.attempt }),
      ...(options.maximumSteps === undefined ? {} : { maximumSteps: options.maximumSteps }),
      ...(timeout === null ? {} : { timeoutMilliseconds: timeout }),
      ...(signal ? { signal } : {}),
      ...(baseline && !isOracle ? { baseline: () => baseline.get(task) } : {}),
      expectedChecks: () => expectedChecks(task, isOracle ? null : (baseline ?? null)),
      ...(options.collectChanges || options.onWorked
        ? {
            beforeVerdict: async () => {
              if (terminal.mode !== "live") await terminal.operator.end();
              if (options.collectChanges) changes = await terminal.operator.changes();
              await options.onWorked?.(terminal.operator);
            },
          }
        : {}),
    });
    const timings = { ...episode.timings, setup: episode.timings.setup + opened - begun };
    const script = agent.privileged ? episode.trajectory.steps[0]?.info.exit_code : null;
    const result = { ...episode, timings, scriptExit: typeof script === "number" ? script : null, changes };
    if (isOracle) baseline?.put(task, result);
    return result;
  } finally {
    await terminal.close().catch(() => {});
  }
}

/** The result of a trial that never began. */
export function failedTrial(
  identity: { task: { id: string; digest: string }; agent: { name: string; version: string }; attempt?: number },
  error: unknown,
  options: { cancelled: boolean; milliseconds: number },
): TrialResult {
  const grading = attributeError(error, { cancelled: options.cancelled, baseline: { kind: "none" } });
  return {
    trajectory: {
      version: trajectoryVersion,
      task: { id: identity.task.id, digest: identity.task.digest },
      agent: { name: identity.agent.name, version: identity.agent.version },
      seed: null,
      attempt: identity.attempt ?? 1,
      initial: null,
      steps: [],
      outcome: grading.outcome,
      verdict: grading.verdict,
      cause: grading.cause,
    },
    grading,
    timings: { setup: options.milliseconds, agent: 0, verifier: 0 },
    scriptExit: null,
    changes: null,
  };
}
