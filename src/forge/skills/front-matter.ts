import { parseDocument } from "yaml";
import { isDeeper } from "../../contract/index.ts";

const longestFrontMatter = 64 * 1024;
const mostAliases = 20;

export type FrontMatter =
  | { readonly fields: Record<string, unknown>; readonly body: string; readonly repaired: boolean }
  | { readonly line: number; readonly message: string }
  /** There is none. */
  | null;

/**
 * The YAML between the `---` at the head of a Markdown text. Where a colon in a value breaks it, values are read as
 * quoted. The text has line feeds alone and no byte order mark.
 */
export function readFrontMatter(text: string): FrontMatter {
  const open = /^(?:[ \t]*\n)*---[ \t]*\n/.exec(text.slice(0, 1000));
  if (open === null) return null;
  const start = open[0].length;
  const firstLine = open[0].split("\n").length;
  const close = /^---[ \t]*$/m.exec(text.slice(start, start + longestFrontMatter));
  if (close === null) {
    const message = `the front matter has no closing --- within ${longestFrontMatter} characters`;
    return { line: firstLine - 1, message };
  }
  const yaml = text.slice(start, start + close.index);
  const body = text.slice(start + close.index + close[0].length).replace(/^\n/, "");
  const first = parseFields(yaml, firstLine);
  if ("fields" in first) return { ...first, body, repaired: false };
  const second = parseFields(withQuotedValues(yaml), firstLine);
  return "fields" in second ? { ...second, body, repaired: true } : first;
}

function parseFields(yaml: string, firstLine: number) {
  try {
    const document = parseDocument(yaml, { prettyErrors: true, logLevel: "silent" });
    const [problem] = document.errors;
    if (problem) {
      const message = (problem.message.split("\n")[0] ?? "").replace(/ at line \d+.*$/, "");
      return { line: firstLine - 1 + (problem.linePos?.[0].line ?? 1), message: `not valid YAML: ${message}` };
    }
    const fields: unknown = document.toJS({ maxAliasCount: mostAliases });
    if (fields === null) return { fields: {} };
    if (typeof fields !== "object" || Array.isArray(fields))
      return { line: firstLine, message: "the front matter holds no names with values" };
    if (isDeeper(fields, 20)) return { line: firstLine, message: "the front matter is nested too deeply" };
    return { fields: fields as Record<string, unknown> };
  } catch (error) {
    return { line: firstLine, message: `not valid YAML: ${(error as Error).message.split("\n")[0]}` };
  }
}

const withQuotedValues = (yaml: string): string =>
  yaml
    .split("\n")
    .map((line) => {
      const match = /^([A-Za-z][\w-]*):[ \t]+([^\s"'[{|>&*!#].*)$/.exec(line.trimEnd());
      return match ? `${match[1]}: ${JSON.stringify(match[2])}` : line;
    })
    .join("\n");
