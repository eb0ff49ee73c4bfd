import { type GateReport, type GateResult, type GateStatus, printable, printableLine } from "../../contract/index.ts";
import { type CheckSummary, countsLine, countsOf, verdictOf } from "./summary.ts";

const colours: Record<GateStatus, string> = { pass: "32", warn: "33", fail: "31", skip: "90", error: "35" };
const marks: Record<GateStatus, string> = { pass: "✓", warn: "!", fail: "✗", skip: "-", error: "?" };

export type TextOptions = { readonly colour?: boolean; readonly verbose?: boolean };

const painter =
  (colour: boolean) =>
  (code: string, text: string): string =>
    colour ? `\u001b[${code}m${text}\u001b[0m` : text;

/** One task's lines: gates that pass take a line together, the others show their evidence. */
export function renderTaskText(
  path: string,
  report: GateReport,
  { colour = false, verbose = false }: TextOptions = {},
): string {
  const paint = painter(colour);
  const verdict = verdictOf(report);
  const code = verdict === "accepted" ? "32" : verdict === "failed" ? "31" : "35";
  const id = report.subject.id === path ? "" : printableLine(report.subject.id);
  const lines = [`${paint(code, verdict)}  ${printableLine(path)}  ${id}`.trimEnd()];
  const isNotable = ({ status }: GateResult) => status !== "pass" && (status !== "skip" || verbose);
  for (const result of report.results) if (verbose || isNotable(result)) lines.push(...gateLines(result, paint));
  if (!verbose && verdict !== "accepted") lines.push(...skippedLines(report, paint));
  const passed = report.results.filter(({ status }) => status === "pass").length;
  const noun = lines.length > 1 ? "more" : passed === 1 ? "gate" : "gates";
  if (!verbose && passed > 0) lines.push(`  ${paint(colours.pass, `${marks.pass} pass `)} ${passed} ${noun}`);
  for (const note of report.notes) lines.push(`  ${printable(note)}`);
  return lines.join("\n");
}

/** Gates that could not look, by reason; those that don't apply to the task are left out. */
function skippedLines({ results, required }: GateReport, paint: ReturnType<typeof painter>): string[] {
  const byReason = new Map<string, string[]>();
  for (const { gate, status, evidence } of results) {
    if (status !== "skip" || !required.includes(gate)) continue;
    const reason = evidence[0]?.message ?? "";
    byReason.set(reason, [...(byReason.get(reason) ?? []), gate]);
  }
  return [...byReason].flatMap(([reason, gates]) => [
    `  ${paint(colours.skip, `${marks.skip} skip `)} ${gates.join(", ")}`,
    `          ${printable(reason)}`,
  ]);
}

function gateLines(result: GateResult, paint: ReturnType<typeof painter>): string[] {
  const { gate, status, evidence, remediation, rerun } = result;
  const lines = [`  ${paint(colours[status], `${marks[status]} ${status.padEnd(5)}`)} ${gate}`];
  for (const { message, file, line, rule } of evidence.slice(0, 20)) {
    const place = file === undefined ? "" : `${printableLine(file)}${line === undefined ? "" : `:${line}`} `;
    const named = rule === undefined || message.startsWith(rule) ? "" : paint("90", ` [${printableLine(rule)}]`);
    lines.push(`          ${place}${printable(message)}${named}`);
  }
  if (evidence.length > 20) lines.push(`          and ${evidence.length - 20} more`);
  if (remediation !== "") lines.push(`        → ${printable(remediation)}`);
  if (status !== "pass") lines.push(paint("90", `        ↻ ${printableLine(rerun)}`));
  return lines;
}

/** A folder that could not be read. */
export const renderRejectedText = (path: string, reason: string, { colour = false }: TextOptions = {}): string =>
  `${painter(colour)("31", "rejected")}  ${printableLine(path)}\n          ${printable(reason)}`;

/** For people at a terminal (`colour`) or in a log. */
export function renderText(summary: CheckSummary, options: TextOptions = {}): string {
  const lines: string[] = [];
  for (const { path, report } of summary.reports) lines.push(renderTaskText(path, report, options), "");
  for (const { path, reason } of summary.rejected) lines.push(renderRejectedText(path, reason, options), "");
  lines.push(countsLine(summary));
  const { found, loaded } = countsOf(summary);
  if (found === 0) lines.push("No task folder was found: a task folder holds a task.toml.");
  else if (loaded === 0) lines.push("No task could be loaded.");
  return `${lines.join("\n")}\n`;
}
