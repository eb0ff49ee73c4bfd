// From physical lines to instructions' texts: parser directives, comments (inside continuations too), continuations,
// here-documents. Knows no instruction but the three that may carry here-documents.
import type { DockerfileProblem, Heredoc, LineRange, SourcePiece } from "./types.ts";
import { splitRawWords, unquote } from "./words.ts";

export type LogicalLine = LineRange & {
  readonly text: string;
  readonly pieces: readonly SourcePiece[];
  readonly heredocs: readonly Heredoc[];
};
export type LogicalLines = {
  readonly escapeCharacter: "\\" | "`";
  readonly directives: Record<string, string>;
  readonly lines: LogicalLine[];
  readonly problems: DockerfileProblem[];
};

const heredocInstructions = /^\s*(?:onbuild\s+)?(?:run|copy|add)\s/i;

export function readLogicalLines(source: string): LogicalLines {
  const physical = source.replace(/^\uFEFF/, "").split(/\r?\n/);
  if (physical.at(-1) === "") physical.pop();
  const { escapeCharacter, directives, next } = readDirectives(physical);
  const continuation = escapeCharacter === "`" ? /([^`]|^)`[ \t]*$/ : /([^\\]|^)\\[ \t]*$/;
  const lines: LogicalLine[] = [];
  const problems: DockerfileProblem[] = [];
  let i = next;
  while (i < physical.length) {
    const first = physical[i] as string;
    if (/^\s*(?:#|$)/.test(first)) {
      i++;
      continue;
    }
    const start = i;
    const pieces: SourcePiece[] = [];
    let open = true;
    while (open && i < physical.length) {
      const line = physical[i] as string;
      if (i > start && /^\s*(?:#|$)/.test(line)) {
        i++;
        continue;
      }
      open = continuation.test(line);
      const text = open ? line.replace(continuation, "$1") : line;
      pieces.push({ line: i + 1, text: i === start ? text.trimStart() : text });
      i++;
    }
    const lastLine = pieces.at(-1)?.line ?? start + 1;
    if (open)
      problems.push({
        code: "unterminated_continuation",
        severity: "error",
        line: lastLine,
        endLine: lastLine,
        message: "the file ends on a continuation: the instruction's next line is missing",
      });
    const text = pieces
      .map((piece) => piece.text)
      .join("")
      .trim();
    const heredocs: Heredoc[] = [];
    let endLine = lastLine;
    if (heredocInstructions.test(`${text} `)) {
      for (const opening of findHeredocs(text, escapeCharacter)) {
        const body = readHeredoc(physical, i, opening.name, opening.chomp);
        heredocs.push({ ...opening, content: body.content, line: i + 1, endLine: body.next });
        if (!body.closed)
          problems.push({
            code: "unterminated_heredoc",
            severity: "error",
            line: lastLine,
            endLine: Math.max(lastLine, physical.length),
            message: `the here-document has no closing line "${opening.name}"`,
          });
        i = body.next;
        endLine = Math.max(endLine, body.next);
      }
    }
    lines.push({ text, pieces, heredocs, line: start + 1, endLine });
  }
  return { escapeCharacter, directives, lines, problems };
}

function readDirectives(lines: readonly string[]) {
  const directives: Record<string, string> = {};
  let next = 0;
  for (; next < lines.length; next++) {
    const match = /^\s*#\s*([A-Za-z][A-Za-z0-9]*)\s*=\s*(.+?)\s*$/.exec(lines[next] as string);
    const name = match?.[1]?.toLowerCase() ?? "";
    if (!match || !["syntax", "escape", "check"].includes(name) || name in directives) break;
    directives[name] = match[2] as string;
  }
  const escapeCharacter: "\\" | "`" = directives.escape === "`" ? "`" : "\\";
  return { escapeCharacter, directives, next };
}

function findHeredocs(
  text: string,
  escapeCharacter: string,
): Pick<Heredoc, "name" | "chomp" | "expand" | "descriptor">[] {
  return splitRawWords(text, escapeCharacter).flatMap((word) => {
    const match = /^(\d*)<<(-?)([^<]+)$/.exec(word);
    if (!match) return [];
    const raw = match[3] as string;
    const name = unquote(raw, escapeCharacter);
    return [{ name, chomp: match[2] === "-", expand: !/["'\\]/.test(raw), descriptor: Number(match[1] || 0) }];
  });
}

function readHeredoc(lines: readonly string[], from: number, name: string, chomp: boolean) {
  const content: string[] = [];
  for (let i = from; i < lines.length; i++) {
    const line = chomp ? (lines[i] as string).replace(/^\t+/, "") : (lines[i] as string);
    if (line === name) return { content: content.map((text) => `${text}\n`).join(""), next: i + 1, closed: true };
    content.push(line);
  }
  return { content: content.map((text) => `${text}\n`).join(""), next: lines.length, closed: false };
}
