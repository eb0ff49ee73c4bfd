import type { Imported, ImportedReason } from "./imported.ts";
import { countsOfImport } from "./result.ts";

/** The report for people: one row for each folder, then what there is to say of each. */
export function renderImportMarkdown(all: readonly Imported[]): string {
  const { found, loaded, rejected, proven, failed, notRun, converted } = countsOfImport(all);
  const rows = all.map(({ source, verdict, mode, base, preparations, repairs }) => {
    const cells = [
      code(source),
      verdict,
      mode ?? "—",
      base ?? "—",
      String(preparations.length),
      String(repairs.length),
    ];
    return `| ${cells.map(cell).join(" | ")} |`;
  });
  return [
    "# Import",
    "",
    `${found} found, ${loaded} loaded, ${rejected} rejected. Of the loaded: ${proven} proven, ${failed} failed, ${notRun} not run${converted ? `, ${converted} only converted` : ""}.`,
    "",
    "| folder | outcome | verification | base image | prepared | changed |",
    "|---|---|---|---|---|---|",
    ...rows,
    ...all.flatMap(details),
    "",
  ].join("\n");
}

function details(one: Imported): string[] {
  const lines: string[] = [];
  if (one.reason) lines.push(...reasonLines(one.reason));
  if (one.base) lines.push(`- base image: ${line(one.base)}`);
  if (one.network) lines.push(`- network at the oracle's trial: ${one.network}`);
  for (const what of one.preparations) lines.push(`- prepared: ${line(what)}`);
  for (const { file, line: at, message } of one.repairs)
    lines.push(`- changed: ${code(at ? `${file}:${at}` : file)} ${line(message)}`);
  for (const { gate, status, evidence } of one.findings)
    for (const { file, line: at, message } of evidence)
      lines.push(`- ${status}, ${gate}: ${file ? `${code(at ? `${file}:${at}` : file)} ` : ""}${line(message)}`);
  for (const [key, value] of Object.entries(one.lineage)) lines.push(`- ${key}: ${code(value)}`);
  return [
    "",
    `## ${line(one.source)}`,
    "",
    `**${one.verdict}**${one.written ? ` → ${code(one.written)}` : ""}`,
    "",
    ...lines,
  ];
}

const owners: Record<ImportedReason["whose"], string> = {
  task: "the task's own fault",
  distribution: "a difference of the distribution",
  machine: "can't be run here",
  folder: "no task",
};

const reasonLines = ({ whose, code: rule, message, file, line: at, field, remedy }: ImportedReason): string[] => [
  `- ${owners[whose]} (${rule}): ${[file && code(at ? `${file}:${at}` : file), field && code(field)].filter(Boolean).join(" ")} ${line(message)}`.replace(
    / {2,}/g,
    " ",
  ),
  ...(remedy ? [`- what to do: ${line(remedy)}`] : []),
];

/** Text of others, on one line, that Markdown takes for nothing else. */
const line = (text: string): string =>
  text
    .replace(/\s+/g, " ")
    .replace(/[\\`*_[\]<>|]/g, "\\$&")
    .slice(0, 600);
const code = (text: string): string => `\`${text.replace(/[`\r\n]+/g, " ").slice(0, 300)}\``;
const cell = (text: string): string => text.replace(/\|/g, "\\|").replace(/\s+/g, " ").slice(0, 200);
