/** A change to a file: a piece of text replaced once, or the whole file. */
export type Edit =
  | { readonly file: string; readonly old: string; readonly new: string }
  | { readonly file: string; readonly whole: string };

const literal = (text: string) =>
  text.includes("'''") || text.includes("\\") ? JSON.stringify(text) : `'''${text}'''`;

/** solve.sh: applies the edits; each old text must be there exactly once. */
export function solutionScript(
  edits: readonly Edit[],
  list: { path: string; names: readonly string[] } | null,
): string {
  const lines = ["#!/bin/bash", "set -euo pipefail", "/usr/bin/python3 -I -S - <<'PY'"];
  lines.push(
    "def change(path, old, new):",
    "    text = open(path, encoding='utf-8').read()",
    "    assert text.count(old) == 1, (path, text.count(old))",
    "    open(path, 'w', encoding='utf-8').write(text.replace(old, new))",
    "",
  );
  for (const edit of edits)
    lines.push(
      "whole" in edit
        ? `open('${edit.file}', 'w', encoding='utf-8').write(${literal(edit.whole)})`
        : `change('${edit.file}', ${literal(edit.old)}, ${literal(edit.new)})`,
    );
  if (list)
    lines.push(
      `open('${list.path}', 'w', encoding='utf-8').write(''.join(name + '\\n' for name in sorted(${JSON.stringify(list.names)})))`,
    );
  return `${lines.join("\n")}\nPY\n`;
}
