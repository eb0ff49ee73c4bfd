import { printable, printableLine } from "../../contract/index.ts";
import { type CheckSummary, countsLine, verdictOf } from "./summary.ts";

/** Cell text: no table or HTML of its own. */
const cell = (text: string): string =>
  printable(text)
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/([\\`*_{}[\]|#])/g, "\\$1")
    .replace(/\s*\n\s*/g, " ");

const code = (text: string): string => `\`${printableLine(text).replaceAll("`", "'")}\``;

/** For a pull request or a file: what failed first, then the rest. */
export function renderMarkdown(summary: CheckSummary): string {
  const lines = ["# Task check", "", countsLine(summary), ""];
  const order = ["failed", "not graded", "accepted"];
  const sorted = [...summary.reports].sort(
    (a, b) => order.indexOf(verdictOf(a.report)) - order.indexOf(verdictOf(b.report)),
  );
  if (sorted.length > 0) {
    lines.push("| task | verdict | pass | warn | fail | skip | error |", "| --- | --- | --: | --: | --: | --: | --: |");
    for (const { path, report } of sorted) {
      const { pass, warn, fail, skip, error } = report.counts;
      lines.push(`| ${cell(path)} | ${verdictOf(report)} | ${pass} | ${warn} | ${fail} | ${skip} | ${error} |`);
    }
    lines.push("");
  }
  for (const { path, report } of sorted) {
    const seen = report.results.filter(({ status }) => status === "fail" || status === "error" || status === "warn");
    if (seen.length === 0) continue;
    lines.push(`## ${cell(path)}`, "");
    for (const { gate, status, evidence, remediation, rerun } of seen) {
      lines.push(`- **${status}** \`${gate}\`${remediation === "" ? "" : `: ${cell(remediation)}`}`);
      for (const { message, file, line } of evidence.slice(0, 20))
        lines.push(
          `  - ${file === undefined ? "" : `${code(`${file}${line === undefined ? "" : `:${line}`}`)} `}${cell(message)}`,
        );
      if (evidence.length > 20) lines.push(`  - and ${evidence.length - 20} more`);
      lines.push(`  - ${code(rerun)}`);
    }
    lines.push("");
  }
  if (summary.rejected.length > 0) {
    lines.push("## Rejected", "");
    for (const { path, reason } of summary.rejected) lines.push(`- ${cell(path)}: ${cell(reason)}`);
    lines.push("");
  }
  return `${lines.join("\n").trimEnd()}\n`;
}
