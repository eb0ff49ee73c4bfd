import type { RunInstruction } from "../../../sandbox/index.ts";
import { parseShell, type Script } from "../../shell/index.ts";

/**
 * The shell script of a RUN with the file's line for each of its own. Null when a program is run without a shell, or
 * when a here-document is for another interpreter.
 */
export function runScript(run: RunInstruction): { script: Script; lineOf(line: number): number } | null {
  if (run.argv !== null) return null;
  const only = /^\s*\d*<<-?\s*(["']?)(\w+)\1\s*$/.exec(run.shell ?? "");
  const [body] = run.heredocs;
  if (only !== null && body !== undefined) {
    const [head = ""] = body.content.split("\n");
    if (head.startsWith("#!") && !/\b(ba|da|z|k)?sh\b/.test(head)) return null;
    return { script: parseShell(body.content), lineOf: (line) => body.line + line - 1 };
  }
  const pieces = run.pieces.map(({ text }, index) => (index === 0 ? text.replace(/^\s*run\b\s*/i, "") : text));
  const lines = run.pieces.map(({ line }) => line);
  const parts = [
    pieces
      .join("\\\n")
      .replace(/^(\s|\\\n)*(--[\w-]+(=("[^"]*"|\S+))?(\s|\\\n)+)+/, (flags) => flags.replace(/[^\n\\]/g, " ")),
  ];
  for (const heredoc of run.heredocs) {
    for (let line = heredoc.line; line <= heredoc.endLine; line++) lines.push(line);
    parts.push(`${heredoc.content}${heredoc.name}`);
  }
  return { script: parseShell(parts.join("\n")), lineOf: (line) => lines[line - 1] ?? run.endLine };
}
