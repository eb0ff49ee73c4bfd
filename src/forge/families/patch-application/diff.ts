/** One place that a patch changes, as its author saw it. */
export type Hunk = {
  /** Line numbers, from 1, of the first line on each side. */
  readonly oldStart: number;
  readonly newStart: number;
  readonly before: readonly string[];
  readonly removed: readonly string[];
  readonly added: readonly string[];
  readonly after: readonly string[];
  /** True when the old or the new side ends the file without a newline. */
  readonly oldBare: boolean;
  readonly newBare: boolean;
};
export type FilePart = {
  readonly kind: "change" | "add" | "delete" | "rename";
  readonly from: string;
  readonly to: string;
  readonly hunks: readonly Hunk[];
};
export type Format = "unified" | "context";

const noNewline = "\\ No newline at end of file";
const marked = (mark: string, lines: readonly string[], bare: boolean) => [
  ...lines.map((line) => mark + line),
  ...(bare && lines.length > 0 ? [noNewline] : []),
];

function unifiedHunk(hunk: Hunk): string[] {
  const { before, removed, added, after, oldBare, newBare } = hunk;
  const range = (start: number, count: number) =>
    count === 1 ? `${start}` : `${count === 0 ? start - 1 : start},${count}`;
  const context = before.length + after.length;
  return [
    `@@ -${range(hunk.oldStart, context + removed.length)} +${range(hunk.newStart, context + added.length)} @@`,
    ...marked(" ", before, false),
    ...marked("-", removed, oldBare && after.length === 0),
    ...marked("+", added, newBare && after.length === 0),
    ...marked(" ", after, oldBare),
  ];
}

function contextHunk(hunk: Hunk): string[] {
  const { before, removed, added, after, oldBare, newBare } = hunk;
  const side = (lines: readonly string[], bare: boolean) => [
    ...marked("  ", before, false),
    ...marked("! ", lines, bare && after.length === 0),
    ...marked("  ", after, bare),
  ];
  const end = (start: number, lines: readonly string[]) => start + before.length + lines.length + after.length - 1;
  return [
    "***************",
    `*** ${hunk.oldStart},${end(hunk.oldStart, removed)} ****`,
    ...side(removed, oldBare),
    `--- ${hunk.newStart},${end(hunk.newStart, added)} ----`,
    ...side(added, newBare),
  ];
}

/** The part of a diff for one file; `prefix` goes before the paths of the old and of the new side. */
export function partText(part: FilePart, format: Format, prefix: readonly [string, string], stamp: string): string[] {
  const [old, fresh] = [
    part.kind === "add" ? "/dev/null" : prefix[0] + part.from,
    part.kind === "delete" ? "/dev/null" : prefix[1] + part.to,
  ];
  const lines: string[] = [];
  if (part.kind === "rename")
    lines.push(
      `diff --git ${prefix[0]}${part.from} ${prefix[1]}${part.to}`,
      `similarity index ${part.hunks.length === 0 ? 100 : 93}%`,
      `rename from ${part.from}`,
      `rename to ${part.to}`,
    );
  if (part.hunks.length === 0) return lines;
  const names = format === "context" ? ["*** ", "--- "] : ["--- ", "+++ "];
  lines.push(`${names[0]}${old}${stamp}`, `${names[1]}${fresh}${stamp}`);
  for (const hunk of part.hunks) lines.push(...(format === "context" ? contextHunk(hunk) : unifiedHunk(hunk)));
  return lines;
}
