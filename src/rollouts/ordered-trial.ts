// One trial of an ordered task: its steps one after the other, each begun with the files that the one before left and
// graded by its own verifier. Processes end with their step, as they do before every verification.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Cause,
  type Grading,
  isGraded,
  type Trajectory,
  type Verdict,
  type VerificationMode,
} from "../contract/index.ts";
import { assertRunnable, type EarlierState, type TerminalOperator, taskImage } from "../environments/index.ts";
import { layOutStep, type Task, type TaskStep } from "../tasks/index.ts";
import type { BaselineSource } from "./oracle-baseline.ts";
import type { TrialOptions } from "./trial.ts";
import type { TrialResult } from "./trial-result.ts";

export type SingleTrialOptions = TrialOptions & {
  readonly onWorked?: (operator: TerminalOperator) => Promise<void>;
};
type Saved = EarlierState & { dispose(): Promise<void> };
type PlayedStep = { readonly step: TaskStep; readonly result: TrialResult };

/** Stops at a step that can't be graded, or that earns less than its `min_reward`; steps after it earn nothing. */
export async function runOrderedTrial(
  options: TrialOptions,
  runStep: (options: SingleTrialOptions) => Promise<TrialResult>,
): Promise<TrialResult> {
  const { task, agent, signal, baseline } = options;
  const folder = await mkdtemp(join(options.workDirectory ?? tmpdir(), "rs-steps-"));
  const saved: Saved[] = [];
  const played: PlayedStep[] = [];
  try {
    await assertRunnable(task);
    const image = options.image ?? (await taskImage(task, options));
    for (const [index, step] of task.steps.entries()) {
      const stepTask = await layOutStep(task, step, join(folder, step.name));
      const from = saved.at(-1);
      const isLast = index === task.steps.length - 1;
      const result = await runStep({
        ...options,
        image,
        task: stepTask,
        agent: agent.forStep?.(stepTask) ?? agent,
        arrives: join(stepTask.directory, "workdir"),
        ...(from ? { from } : {}),
        ...(baseline ? { baseline: baselineOfStep(baseline, task, step) } : {}),
        ...(isLast ? {} : { onWorked: async (operator) => void saved.push(await operator.save()) }),
      });
      played.push({ step, result });
      if (signal?.aborted || !isGraded(result.grading.outcome)) break;
      if (!reaches(step, result.grading.verdict)) break;
      if (!isLast && saved.length <= index) break;
    }
    const result = joined(task, agent, played);
    if (agent.name === "oracle") baseline?.put(task, result);
    return result;
  } finally {
    for (const { dispose } of saved) await dispose().catch(() => {});
    await rm(folder, { recursive: true, force: true });
  }
}

const checkPrefix = ({ name }: TaskStep) => `${name}: `;

/** What the whole task's oracle says of one step. */
function baselineOfStep(whole: BaselineSource, task: Task, step: TaskStep): BaselineSource {
  const prefix = checkPrefix(step);
  return {
    async get() {
      const known = await whole.get(task);
      if (known.kind !== "graded" || step.requirements) return known;
      const own = known.checks.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
      return { ...known, checks: own };
    },
    put() {},
  };
}

/** `min_reward` of a step: a number for the reward, or one for each named reward; a missing one is below every limit. */
function reaches({ configuration }: TaskStep, verdict: Verdict | null): boolean {
  const { min_reward: least } = configuration;
  if (least === undefined) return true;
  const limits = typeof least === "number" ? { reward: least } : least;
  return Object.entries(limits).every(([name, limit]) => {
    const earned =
      verdict?.rewards[name] ?? (name === "reward" ? verdict?.score : undefined) ?? Number.NEGATIVE_INFINITY;
    return earned >= limit;
  });
}

function joined(task: Task, agent: TrialOptions["agent"], played: readonly PlayedStep[]): TrialResult {
  const grading = gradingOf(task, played);
  const last = played.at(-1)?.result as TrialResult;
  const sum = (pick: (result: TrialResult) => number) => played.reduce((all, { result }) => all + pick(result), 0);
  return {
    trajectory: trajectoryOf(task, agent, played, grading),
    grading,
    timings: {
      setup: sum(({ timings }) => timings.setup),
      agent: sum(({ timings }) => timings.agent),
      verifier: sum(({ timings }) => timings.verifier),
    },
    scriptExit: played.find(({ result }) => result.scriptExit !== 0)?.result.scriptExit ?? last.scriptExit,
    changes: last.changes,
  };
}

/** The worst of the steps decides whether there is a verdict at all; the strategy of the task makes one of the rewards. */
function gradingOf(task: Task, played: readonly PlayedStep[]): Grading {
  const ungraded = played.find(({ result }) => !isGraded(result.grading.outcome));
  if (ungraded) {
    const { grading } = ungraded.result;
    return { ...grading, cause: grading.cause && inStep(ungraded.step, grading.cause) };
  }
  const verdicts = played.map(({ step, result }) => ({ step, verdict: result.grading.verdict as Verdict }));
  const scores = task.steps.map(({ name }) => verdicts.find(({ step }) => step.name === name)?.verdict.score ?? 0);
  const isMean = task.configuration.multi_step_reward_strategy === "mean";
  const score = isMean ? scores.reduce((a, b) => a + b, 0) / scores.length : (scores.at(-1) as number);
  const success = score === 1;
  const failed = played.find(({ result }) => result.grading.outcome === "failure");
  const mode = verdicts[0]?.verdict.mode as VerificationMode;
  const verdict: Verdict = {
    success,
    score,
    rewards: {
      reward: score,
      ...Object.assign({}, ...verdicts.map(({ verdict: { rewards } }) => withoutReward(rewards))),
      ...Object.fromEntries(task.steps.map(({ name }, index) => [`step/${name}`, scores[index] as number])),
    },
    checks: verdicts.flatMap(({ step, verdict: { checks } }) =>
      checks.map((check) => (step.requirements ? check : { ...check, name: `${checkPrefix(step)}${check.name}` })),
    ),
    mode,
    attacks: verdicts.flatMap(({ step, verdict: { attacks } }) => (attacks ?? []).map((one) => `${step.name}: ${one}`)),
    details: {
      checks_from: verdicts.some(({ verdict: { details } }) => details?.checks_from !== "none") ? "steps" : "none",
      steps: verdicts.map(({ step, verdict: { details } }) => ({ name: step.name, ...details })),
      strategy: task.configuration.multi_step_reward_strategy,
    },
  };
  if (success) return { outcome: "success", verdict, cause: null };
  const cause = failed?.result.grading.cause;
  return {
    outcome: "failure",
    verdict,
    cause:
      cause && failed ? inStep(failed.step, cause) : { code: "steps_missing", message: "not every step was played" },
  };
}

const withoutReward = ({ reward: _, ...rewards }: Record<string, number>) => rewards;
const inStep = ({ name }: TaskStep, cause: Cause): Cause => ({ ...cause, message: `step ${name}: ${cause.message}` });

/** Steps of all of them in one row; `info.task_step` names the one that each belongs to, and the first of each tells what was asked. */
function trajectoryOf(
  task: Task,
  agent: TrialOptions["agent"],
  played: readonly PlayedStep[],
  grading: Grading,
): Trajectory {
  const first = played[0]?.result.trajectory as Trajectory;
  let begun = 0;
  let count = 0;
  const steps = played.flatMap(({ step, result }) => {
    const offset = begun;
    begun += result.timings.agent;
    return result.trajectory.steps.map((one, index) => ({
      ...one,
      index: count++,
      time: { called: one.time.called + offset, returned: one.time.returned + offset },
      info: {
        ...one.info,
        task_step: step.name,
        ...(index === 0 ? { task_step_began: result.trajectory.initial?.text ?? "" } : {}),
      },
    }));
  });
  return {
    ...first,
    task: { id: task.id, digest: task.digest },
    agent: { name: agent.name, version: agent.version },
    steps,
    outcome: grading.outcome,
    verdict: grading.verdict,
    cause: grading.cause,
  };
}
