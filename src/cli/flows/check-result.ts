import type { GateReport } from "../../contract/index.ts";
import { type CheckSummary, countsLine, countsOf, type TaskVerdict } from "../../gates/index.ts";
import type { CommandResult } from "../output/events.ts";
import type { Project } from "../project.ts";
import type { FlowRun } from "../run-flow.ts";
import { shownPath } from "../run-identity.ts";
import { endingLines, retakenCounts } from "./ending.ts";
import type { RejectedTask } from "./task-stream.ts";

/** `report` is the digest of the gate report in the blob store. */
export type Checked = {
  path: string;
  verdict: TaskVerdict;
  report: string;
  trials: number;
  outcome: "success" | "failure" | "infra_error";
};
export type CheckOutput = { found: number; rejected: RejectedTask[]; checked: Checked[] };

/** The reports that a run made, by path; `brief` leaves out what only a rendering needs. */
export async function summaryOf(project: Project, output: CheckOutput, brief = false): Promise<CheckSummary> {
  const reports: { path: string; report: GateReport }[] = [];
  if (output.checked.length > 0) {
    const store = project.openStore("read");
    try {
      for (const { path, report } of output.checked) {
        const whole = JSON.parse((await store.blobs.get(report)).toString("utf8")) as GateReport;
        reports.push({ path: shownPath(project, path), report: brief ? withoutEvidence(whole) : whole });
      }
    } finally {
      store.close();
    }
  }
  const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1);
  const rejected = output.rejected.map(({ path, reason }) => ({ path: shownPath(project, path), reason }));
  return { found: output.found, rejected: rejected.sort(byPath), reports: reports.sort(byPath) };
}

const withoutEvidence = (report: GateReport): GateReport => ({
  ...report,
  results: report.results.map((result) => ({ ...result, evidence: [], measured: {} })),
});

export function checkResult(
  project: Project,
  run: FlowRun<CheckOutput>,
  summary: CheckSummary,
  { outputs, trials }: { outputs: string[]; trials: number },
): CommandResult {
  const counts = countsOf(summary);
  const finished = run.output !== null;
  const failed = counts.failed + counts.rejected > 0 || counts.found === 0;
  const nothing = finished && counts.found === 0;
  return {
    status: !finished ? "interrupted" : failed ? "failed" : counts.notGraded > 0 ? "infrastructure" : "ok",
    counts: { ...counts, ...retakenCounts(run) },
    cost: { trials, tokens: 0 },
    outputs,
    lines: [
      nothing ? "no task was found: a task folder holds a task.toml" : countsLine(summary),
      ...endingLines(project, run, counts.notGraded),
    ],
    data: { run: run.id },
  };
}
