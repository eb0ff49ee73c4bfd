import { type GateReport, printableJson } from "../../contract/index.ts";
import { type CheckSummary, countsOf, verdictOf } from "./summary.ts";

/** Everything, as data: the counts, each report with its path and verdict, what was rejected and why. */
export function renderJson(summary: CheckSummary): string {
  const data = {
    version: 1,
    counts: countsOf(summary),
    reports: summary.reports.map(({ path, report }) => ({ path, verdict: verdictOf(report), ...report })),
    rejected: summary.rejected,
  };
  return `${printableJson(data, 2)}\n`;
}

export type ValidationReport = {
  report_schema_version: 1;
  target: string;
  policy_version: "v1";
  lane: string;
  results: {
    check_id: string;
    status: "pass" | "fail" | "skip" | "error";
    measured: GateReport["results"][number]["measured"];
    evidence: string[];
    remediation: string;
  }[];
  verdict: "pass" | "fail" | "error";
};

/** The report shape of OpenEnv RFC 008, whose readers know no `warn`: it becomes `pass` with a note. */
export function validationReport(path: string, report: GateReport): ValidationReport {
  const verdict = verdictOf(report);
  return {
    report_schema_version: 1,
    target: path,
    policy_version: "v1",
    lane: report.level === "core" ? "semantic" : "static",
    results: report.results.map(({ gate, status, measured, evidence, remediation }) => ({
      check_id: gate,
      status: status === "warn" ? "pass" : status,
      measured,
      evidence: [
        ...(status === "warn" ? ["note: passed with warnings"] : []),
        ...evidence.map(
          ({ message, file, line }) =>
            `${file === undefined ? "" : `${file}${line === undefined ? "" : `:${line}`}: `}${message}`,
        ),
      ],
      remediation,
    })),
    verdict: verdict === "accepted" ? "pass" : verdict === "failed" ? "fail" : "error",
  };
}
