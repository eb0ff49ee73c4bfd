const canaryLine = /^(?:<!--.*canary.*-->|#.*canary.*)$/i;

/**
 * The instruction as the agent sees it: leading lines that hold a canary (an HTML comment or a `#` line with that
 * word), and the blank lines after them, are left out.
 */
export function stripCanary(instruction: string): string {
  const lines = instruction.split("\n");
  let first = 0;
  while (first < lines.length && canaryLine.test((lines[first] as string).trim())) first++;
  while (first < lines.length && (lines[first] as string).trim() === "") first++;
  return lines.slice(first).join("\n");
}
