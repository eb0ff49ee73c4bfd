import type { Evidence } from "../../contract/index.ts";

/** What a lint saw at one line. An `error` fails its gate; a `warning` is counted. `file` is relative to the task folder. */
export type Finding = {
  readonly rule: string;
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly excerpt?: string;
};

export const asEvidence = ({ rule, message, file, line, excerpt }: Finding): Evidence => ({
  message,
  file,
  line,
  rule,
  ...(excerpt === undefined ? {} : { excerpt }),
});

/** By file, line, then rule; one finding for each rule and line. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  const key = (finding: Finding) => `${finding.file}\0${String(finding.line).padStart(8, "0")}\0${finding.rule}`;
  const byKey = new Map<string, Finding>();
  for (const finding of findings) if (!byKey.has(key(finding))) byKey.set(key(finding), finding);
  return [...byKey.entries()].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, finding]) => finding);
}

/** The line of the source, trimmed and cut, for a report. */
export const excerptOf = (source: string, line: number): string => {
  const text = (source.split("\n")[line - 1] ?? "").trim();
  return text.length > 160 ? `${text.slice(0, 157)}…` : text;
};
