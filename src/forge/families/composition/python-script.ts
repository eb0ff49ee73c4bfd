/** A bash script that runs one embedded Python program in /app. */
export function pythonScript(program: string, after = ""): string {
  return `#!/bin/bash
set -euo pipefail
cd /app
python3 -I -S - <<'PYTHON'
${program.trim()}
PYTHON
${after === "" ? "" : `${after.trim()}\n`}`;
}

/** Indents every line that isn't empty. */
export function indent(text: string, by = "    "): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? "" : by + line))
    .join("\n");
}
