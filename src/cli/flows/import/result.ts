import type { CommandResult } from "../../output/events.ts";
import type { Project } from "../../project.ts";
import type { FlowRun } from "../../run-flow.ts";
import { endingLines, retakenCounts } from "../ending.ts";
import type { Imported } from "./imported.ts";

export function countsOfImport(all: readonly Imported[]) {
  const count = (verdict: Imported["verdict"]) => all.filter((one) => one.verdict === verdict).length;
  const rejected = count("rejected");
  return {
    found: all.length,
    loaded: all.length - rejected,
    rejected,
    proven: count("proven"),
    failed: count("failed"),
    notRun: count("not run"),
    ...(count("converted") > 0 ? { converted: count("converted") } : {}),
  };
}

/** One line for people: what came of it, and why not. */
export function importLine({ source, verdict, mode, base, reason, repairs, preparations }: Imported): string {
  const marks = { proven: "✓", converted: "·", failed: "✗", "not run": "?", rejected: "!" };
  const place = reason?.file ? ` ${reason.file}${reason.line ? `:${reason.line}` : ""}` : "";
  const why = reason ? `:${place}${reason.field ? ` ${reason.field}` : ""} ${reason.message.slice(0, 300)}` : "";
  const details = [
    ...(mode ? [mode] : []),
    ...(base ? [base.slice(0, 100)] : []),
    ...(preparations.length > 0 ? [`${preparations.length} prepared`] : []),
    ...(repairs.length > 0 ? [`${repairs.length} changed`] : []),
  ];
  return `${marks[verdict]} ${source}: ${verdict}${why}${details.length > 0 ? ` (${details.join(" · ")})` : ""}`;
}

export function importResult(
  project: Project,
  run: FlowRun<unknown>,
  all: readonly Imported[],
  outputs: readonly string[],
): CommandResult {
  const counts = countsOfImport(all);
  const finished = run.output !== null;
  const failed = counts.failed + counts.rejected > 0 || counts.found === 0;
  const machine = all.filter(({ outcome }) => outcome === "infra_error").length;
  const nothing = finished && counts.found === 0;
  return {
    status: !finished ? "interrupted" : failed ? "failed" : counts.notRun > 0 ? "infrastructure" : "ok",
    counts: { ...counts, ...retakenCounts(run) },
    cost: { trials: all.reduce((sum, one) => sum + one.trials, 0), tokens: 0 },
    outputs,
    lines: [
      nothing
        ? "no task was found: a task folder holds a task.toml (Harbor) or a task.yaml (Terminal-Bench 1)"
        : `${counts.found} found, ${counts.loaded} loaded, ${counts.rejected} rejected; of the loaded ${counts.proven} proven, ${counts.failed} failed, ${counts.notRun} not run${counts.converted ? `, ${counts.converted} only converted` : ""}`,
      ...endingLines(project, run, machine),
    ],
    data: { run: run.id },
  };
}
