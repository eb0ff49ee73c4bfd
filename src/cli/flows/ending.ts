import type { Project } from "../project.ts";
import type { FlowRun } from "../run-flow.ts";
import { resumeCommand } from "../run-identity.ts";

/** What a run's end leaves to say: how to go on, and what a resume took again. */
export function endingLines(project: Project, run: FlowRun<unknown>, ungraded: number): string[] {
  const lines: string[] = [];
  if (run.retaken > 0) lines.push(`taken again ${run.retaken} · kept ${run.kept}`);
  if (run.cancelled !== null) lines.push(run.cancelled);
  else if (run.output === null) lines.push(`stopped; go on with: ${resumeCommand(project, run.id)}`);
  else if (ungraded > 0) lines.push(`take the ungraded again with: ${resumeCommand(project, run.id, "infra")}`);
  return lines;
}

export const retakenCounts = (run: FlowRun<unknown>): Record<string, number> =>
  run.retaken > 0 ? { retaken: run.retaken, kept: run.kept } : {};
