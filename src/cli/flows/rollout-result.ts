import type { Cause, Json, Outcome } from "../../contract/index.ts";
import { summarise } from "../../rollouts/index.ts";
import type { CommandResult } from "../output/events.ts";
import type { Project } from "../project.ts";
import type { FlowRun } from "../run-flow.ts";
import { shownPath } from "../run-identity.ts";
import { endingLines, retakenCounts } from "./ending.ts";
import type { RejectedTask } from "./task-stream.ts";

export type Episode = {
  task: string;
  attempt: number;
  outcome: Outcome;
  score: number | null;
  cause: Cause | null;
  /** The trajectory, below the run's folder, and the digest of its bytes. */
  file: string;
  fileDigest: string;
};
export type RolloutOutput = { rejected: RejectedTask[]; loaded: number; episodes: Episode[] };

export function rolloutResult(
  project: Project,
  run: FlowRun<RolloutOutput>,
  { loaded, rejected, episodes }: RolloutOutput,
  out: string,
): CommandResult {
  const summary = summarise(
    episodes.map(({ outcome, score, cause }) => ({
      grading: { outcome, cause, verdict: score === null ? null : { score } },
    })),
  );
  const { counts, attempted, graded, infrastructureShare } = summary.rate;
  const found = loaded + rejected.length;
  const failed = rejected.length > 0 || counts.task_error > 0 || found === 0;
  return {
    status: run.output === null ? "interrupted" : failed ? "failed" : counts.infra_error > 0 ? "infrastructure" : "ok",
    counts: { found, loaded, rejected: rejected.length, attempted, graded, ...counts, ...retakenCounts(run) },
    cost: { trials: episodes.length, tokens: 0 },
    outputs: [shownPath(project, out)],
    lines: [
      found === 0 && run.output !== null ? "no task was found: a task folder holds a task.toml" : summary.text,
      `infrastructure share ${(infrastructureShare * 100).toFixed(1)} %`,
      ...endingLines(project, run, counts.infra_error),
    ],
    data: { run: run.id, summary: summary as unknown as Json },
  };
}

export const episodeLine = ({ task, attempt, outcome, score, cause }: Episode): string =>
  `${outcome.padEnd(11)} ${score === null ? "–    " : score.toFixed(3)}  ${task}#${attempt}${cause ? `  ${cause.code}: ${cause.message}` : ""}`;
