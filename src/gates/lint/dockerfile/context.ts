import { posix } from "node:path";

/** A build context as a lint sees it: every path in the folder, files and folders, and which of them builders leave out. */
export type ContextFiles = {
  readonly paths: ReadonlySet<string>;
  readonly ignored: ReadonlySet<string>;
};

/** A pattern of COPY or ADD (`*`, `?`, `[…]`) as a whole-string expression; stars don't cross a slash. */
export function sourcePattern(pattern: string): RegExp {
  let source = "";
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern[index] as string;
    const end = character === "[" ? pattern.indexOf("]", index + 2) : -1;
    if (character === "*") source += "[^/]*";
    else if (character === "?") source += "[^/]";
    else if (end > 0) {
      source += `[${pattern.slice(index + 1, end).replace(/\\/g, "\\\\")}]`;
      index = end;
    } else source += character.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  }
  return new RegExp(`^${source}$`, "s");
}

export type SourceState = "present" | "missing" | "outside" | "ignored";

/** What becomes of one source of a COPY: `outside` when it climbs out of the context. */
export function stateOfSource(source: string, { paths, ignored }: ContextFiles): SourceState {
  const relative = posix.normalize(source.replace(/^\/+/, "")).replace(/\/+$/, "");
  if (relative === ".." || relative.startsWith("../")) return "outside";
  if (relative === "." || relative === "") return "present";
  const pattern = /[*?[]/.test(relative) ? sourcePattern(relative) : null;
  const matching = [...paths].filter((path) => (pattern === null ? path === relative : pattern.test(path)));
  if (matching.length === 0) return "missing";
  const kept = (path: string) =>
    !ignored.has(path) || [...paths].some((other) => other.startsWith(`${path}/`) && !ignored.has(other));
  return matching.some(kept) ? "present" : "ignored";
}
