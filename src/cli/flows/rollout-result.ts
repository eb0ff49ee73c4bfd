import { type Cause, type Json, type Outcome, printableLine, type Trajectory } from "../../contract/index.ts";
import { compareAgents, summarise } from "../../rollouts/index.ts";
import { Random } from "../../statistics/index.ts";
import { comparisonLines } from "../comparison-table.ts";
import type { CommandResult } from "../output/events.ts";
import type { Project } from "../project.ts";
import type { FlowRun } from "../run-flow.ts";
import { shownPath } from "../run-identity.ts";
import { endingLines, retakenCounts } from "./ending.ts";
import type { RejectedTask } from "./task-stream.ts";

export type Episode = {
  agent: string;
  task: string;
  attempt: number;
  outcome: Outcome;
  score: number | null;
  cause: Cause | null;
  /** The trajectory, below the run's folder, and the digest of its bytes. */
  file: string;
  fileDigest: string;
  /** Of the agent's work. */
  milliseconds: number;
  /** What its model took; 0 without one, null when nobody told. */
  tokens: number | null;
  costUsd: number | null;
};
export type RolloutOutput = { rejected: RejectedTask[]; loaded: number; episodes: Episode[] };

export function rolloutResult(
  project: Project,
  run: FlowRun<RolloutOutput>,
  { loaded, rejected, episodes }: RolloutOutput,
  {
    out,
    agents,
    attempts,
    seed,
    lines,
  }: { out: string; agents: string[]; attempts: number; seed: number; lines: string[] },
): CommandResult {
  const summary = summarise(
    episodes.map(({ outcome, score, cause }) => ({
      grading: { outcome, cause, verdict: score === null ? null : { score } },
    })),
  );
  const { counts, attempted, graded, infrastructureShare } = summary.rate;
  const comparison = compareAgents(episodes, { agents, k: attempts, random: new Random(`rollout/${seed}`) });
  const sum = (pick: (episode: Episode) => number | null) =>
    episodes.some((episode) => pick(episode) === null)
      ? null
      : episodes.reduce((total, episode) => total + (pick(episode) ?? 0), 0);
  const found = loaded + rejected.length;
  const failed = rejected.length > 0 || counts.task_error > 0 || found === 0;
  return {
    status: run.output === null ? "interrupted" : failed ? "failed" : counts.infra_error > 0 ? "infrastructure" : "ok",
    counts: { found, loaded, rejected: rejected.length, attempted, graded, ...counts, ...retakenCounts(run) },
    cost: { trials: episodes.length, tokens: sum(({ tokens }) => tokens), usd: sum(({ costUsd }) => costUsd) },
    outputs: [shownPath(project, out)],
    lines: [
      ...(found === 0 && run.output !== null
        ? ["no task was found: a task folder holds a task.toml"]
        : agents.length > 1
          ? comparisonLines(comparison)
          : [summary.text]),
      ...lines,
      `infrastructure share ${(infrastructureShare * 100).toFixed(1)} %`,
      ...endingLines(project, run, counts.infra_error),
    ],
    data: { run: run.id, summary: summary as unknown as Json, agents: comparison as unknown as Json },
  };
}

export const episodeLine = ({ agent, task, attempt, outcome, score, cause }: Episode, named: boolean): string =>
  `${outcome.padEnd(11)} ${score === null ? "–    " : score.toFixed(3)}  ${named ? `${agent}  ` : ""}${printableLine(task)}#${attempt}${cause ? `  ${cause.code}: ${printableLine(cause.message)}` : ""}`;

/** What the policy's answers took together; unknown as soon as one of them is. */
export function spent({ steps }: Trajectory): { tokens: number | null; costUsd: number | null } {
  const answers = steps.flatMap(({ tokens }) => tokens ?? []);
  const sum = (values: (number | null | undefined)[]) =>
    values.some((value) => typeof value !== "number")
      ? null
      : (values as number[]).reduce((total, value) => total + value, 0);
  return {
    tokens: sum(answers.flatMap(({ prompt, completion }) => [prompt, completion])),
    costUsd: sum(answers.map(({ costUsd }) => costUsd)),
  };
}
