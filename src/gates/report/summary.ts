import type { GateReport } from "../../contract/index.ts";

/** What `check` did: the tasks that it found, those that it couldn't read, and a report on each that it could. */
export type CheckSummary = {
  /** Everything that looked like a task, readable or not. */
  readonly found: number;
  readonly rejected: readonly { readonly path: string; readonly reason: string }[];
  /** With the path of each task as the user gave it. */
  readonly reports: readonly { readonly path: string; readonly report: GateReport }[];
};

export type CheckCounts = {
  readonly found: number;
  readonly loaded: number;
  readonly rejected: number;
  /** Tasks with a verdict: accepted, or refused by a gate that saw something. */
  readonly graded: number;
  /** Tasks without: a required gate could not run, and none failed. */
  readonly notGraded: number;
  readonly accepted: number;
  readonly failed: number;
  /** Accepted tasks with at least one warning. */
  readonly withWarnings: number;
};

export type TaskVerdict = "accepted" | "failed" | "not graded";

/** A task is refused by a required gate that says `fail`; without one, a required `error` or `skip` leaves it ungraded. */
export function verdictOf(report: GateReport): TaskVerdict {
  if (report.accepted) return "accepted";
  const failed = report.results.some(({ gate, status }) => status === "fail" && report.required.includes(gate));
  return failed ? "failed" : "not graded";
}

/** The counts that every rendering shows. */
export function countsOf(summary: CheckSummary): CheckCounts {
  const verdicts = summary.reports.map(({ report }) => verdictOf(report));
  const count = (verdict: TaskVerdict) => verdicts.filter((each) => each === verdict).length;
  const notGraded = count("not graded");
  return {
    found: summary.found,
    loaded: summary.reports.length,
    rejected: summary.rejected.length,
    graded: summary.reports.length - notGraded,
    notGraded,
    accepted: count("accepted"),
    failed: count("failed"),
    withWarnings: summary.reports.filter(({ report }) => report.accepted && report.counts.warn > 0).length,
  };
}

/** `80 of 90 graded tasks accepted, 10 failed; 10 not graded (100 found, 100 loaded, 0 rejected)`. */
export function countsLine(summary: CheckSummary): string {
  const { found, loaded, rejected, graded, notGraded, accepted, failed, withWarnings } = countsOf(summary);
  const warned = withWarnings === 0 ? "" : ` (${withWarnings} with warnings)`;
  return `${accepted} of ${graded} graded accepted${warned}, ${failed} failed, ${notGraded} not graded (${found} found, ${loaded} loaded, ${rejected} rejected)`;
}
