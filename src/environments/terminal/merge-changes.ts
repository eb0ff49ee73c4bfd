import type { FileChange } from "../../contract/index.ts";

/** Two diffs in a row as one against the first image: what was added and then removed is no change. */
export function mergeChanges(first: readonly FileChange[], second: readonly FileChange[]): FileChange[] {
  if (first.length === 0) return [...second];
  const merged = new Map(first.map((change) => [change.path, change]));
  for (const change of second) {
    const before = merged.get(change.path);
    if (change.change === "removed") {
      for (const path of merged.keys()) if (path.startsWith(`${change.path}/`)) merged.delete(path);
      if (before?.change === "added") merged.delete(change.path);
      else merged.set(change.path, change);
    } else if (before?.change === "added") merged.set(change.path, { ...change, change: "added" });
    else merged.set(change.path, before ? { ...change, change: "modified" } : change);
  }
  return [...merged.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}
