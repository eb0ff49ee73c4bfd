// Where a link of the agent's leads in the end, through its other links and the image's. The agent's are read as text
// alone: nothing of its is followed.
import { posix } from "node:path";
import type { FileChange } from "../../../contract/index.ts";
import type { ImageLinks } from "./image-links.ts";
import { within } from "./path-within.ts";

const closed = ["/proc", "/sys", "/dev", "/tests", "/solution", "/logs", "/run/routesetter"];

/** A verifier that reads through a link to there would read the answer, itself, or what only the runner writes. */
export function forbiddenTarget(target: string): boolean {
  if (["/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/zero"].includes(target)) return false;
  return target === "/" || target === "/run" || closed.some((folder) => within(target, folder));
}

/**
 * Gives the final places of a path: as the agent's sandbox has it, and as it is where a change of the agent's is not
 * carried over and the image's link stands; "/" for a chain without an end, and, without the image's links, for a way
 * that turns back behind a name that may be one.
 */
export function linkResolver(
  changes: readonly FileChange[],
  imageLinks: ImageLinks | null,
): (path: string) => readonly string[] {
  const changed = new Map<string, string | null>();
  for (const { path, entry } of changes)
    changed.set(path, entry?.type === "symlink" && entry.target !== undefined ? entry.target : null);
  const ofAgent = (path: string) => {
    const target = changed.get(path);
    return target === undefined ? (imageLinks?.(path) ?? null) : target;
  };
  const ofImage = (path: string) => imageLinks?.(path) ?? changed.get(path) ?? null;
  return (start) => [
    ...new Set([ofAgent, ofImage].map((linkAt) => follow(start, linkAt, imageLinks === null ? changed : null))),
  ];
}

/** `certain`, when given, has the only paths of which it is known what they are. */
function follow(
  start: string,
  linkAt: (path: string) => string | null,
  certain: ReadonlyMap<string, unknown> | null,
): string {
  let left = start.split("/").filter(Boolean);
  let current = "/";
  for (let hops = 0; left.length > 0; ) {
    const [part, ...rest] = left as [string, ...string[]];
    left = rest;
    if (part === "." || part === "") continue;
    const next = posix.join(current, part);
    const target = part === ".." ? null : linkAt(next);
    if (target === null) {
      if (certain && part !== ".." && left[0] === ".." && !certain.has(next) && !within(start, next)) return "/";
      current = next;
      continue;
    }
    if (++hops > 40) return "/";
    if (target.startsWith("/")) current = "/";
    left = [...target.split("/").filter(Boolean), ...left];
  }
  return current;
}
