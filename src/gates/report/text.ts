import type { GateResult, GateStatus } from "../../contract/index.ts";
import { type CheckSummary, countsLine, countsOf, verdictOf } from "./summary.ts";

const colours: Record<GateStatus, string> = { pass: "32", warn: "33", fail: "31", skip: "90", error: "35" };
const marks: Record<GateStatus, string> = { pass: "✓", warn: "!", fail: "✗", skip: "-", error: "?" };

/** For people at a terminal (`colour`) or in a log. Gates that pass take a line; the others show their evidence. */
export function renderText(summary: CheckSummary, { colour = false, verbose = false } = {}): string {
  const paint = (code: string, text: string) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  const lines: string[] = [];
  const show = (result: GateResult) => {
    const { gate, status, evidence, remediation, rerun } = result;
    lines.push(`  ${paint(colours[status], `${marks[status]} ${status.padEnd(5)}`)} ${gate}`);
    if (status === "pass" && !verbose) return;
    const quiet = status === "skip" && !verbose;
    for (const { message, file, line, rule } of quiet ? evidence.slice(0, 1) : evidence.slice(0, 20)) {
      const place = file === undefined ? "" : `${file}${line === undefined ? "" : `:${line}`} `;
      lines.push(
        `          ${place}${message}${rule === undefined || message.startsWith(rule) ? "" : paint("90", ` [${rule}]`)}`,
      );
    }
    if (evidence.length > 20) lines.push(`          and ${evidence.length - 20} more`);
    if (quiet) return;
    if (remediation !== "") lines.push(`        → ${remediation}`);
    if (status !== "pass") lines.push(paint("90", `        ↻ ${rerun}`));
  };
  for (const { path, report } of summary.reports) {
    const verdict = verdictOf(report);
    lines.push(
      `${paint(verdict === "accepted" ? "32" : verdict === "failed" ? "31" : "35", verdict)}  ${path}  ${report.subject.id === path ? "" : report.subject.id}`.trimEnd(),
    );
    const shown =
      verbose || verdict !== "accepted"
        ? report.results
        : report.results.filter(({ status }) => status !== "pass" && status !== "skip");
    const passed = report.results.filter(({ status }) => status === "pass").length;
    for (const result of shown) if (verbose || result.status !== "pass") show(result);
    if (!verbose && passed > 0) lines.push(`  ${paint(colours.pass, `${marks.pass} pass `)} ${passed} more`);
    for (const note of report.notes) lines.push(`  ${note}`);
    lines.push("");
  }
  for (const { path, reason } of summary.rejected)
    lines.push(`${paint("31", "rejected")}  ${path}`, `          ${reason}`, "");
  lines.push(countsLine(summary));
  const { found, loaded } = countsOf(summary);
  if (found === 0) lines.push("No task folder was found: a task folder holds a task.toml.");
  else if (loaded === 0) lines.push("No task could be loaded.");
  return `${lines.join("\n")}\n`;
}
