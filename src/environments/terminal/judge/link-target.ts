// Where a link of the agent's leads in the end, through its other links. Read as text alone: nothing is followed.
import { posix } from "node:path";
import type { FileChange } from "../../../contract/index.ts";
import { within } from "./path-within.ts";

const closed = ["/proc", "/sys", "/dev", "/tests", "/solution", "/logs", "/run/routesetter"];

/** A verifier that reads through a link to there would read the answer, itself, or what only the runner writes. */
export function forbiddenTarget(target: string): boolean {
  if (["/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/zero"].includes(target)) return false;
  return target === "/" || target === "/run" || closed.some((folder) => within(target, folder));
}

/** Gives the final place of a path among these changes; "/" for a chain without an end. */
export function linkResolver(changes: readonly FileChange[]): (path: string) => string {
  const links = new Map<string, string>();
  for (const { path, entry } of changes)
    if (entry?.type === "symlink" && entry.target !== undefined) links.set(path, entry.target);
  return (start) => {
    let left = start.split("/").filter(Boolean);
    let current = "/";
    for (let hops = 0; left.length > 0; ) {
      const [part, ...rest] = left as [string, ...string[]];
      left = rest;
      if (part === "." || part === "") continue;
      const next = posix.join(current, part);
      const target = links.get(next);
      if (target === undefined) {
        current = next;
        continue;
      }
      if (++hops > 40) return "/";
      if (target.startsWith("/")) current = "/";
      left = [...target.split("/").filter(Boolean), ...left];
    }
    return current;
  };
}
