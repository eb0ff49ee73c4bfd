// Bytes in a container's written layer: the engine's overlay has no quota of its own, so they are counted.
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Bytes that the tree takes on disk; what vanishes meanwhile counts nothing. */
export function bytesUnder(directory: string): number {
  let total = 0;
  const pending = [directory];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    let names: string[];
    try {
      names = readdirSync(next);
    } catch {
      continue;
    }
    for (const name of names) {
      const path = join(next, name);
      try {
        const status = lstatSync(path);
        total += Math.max(status.blocks * 512, status.isFile() ? Math.min(status.size, status.blocks * 512) : 0);
        if (status.isDirectory()) pending.push(path);
      } catch {}
    }
  }
  return total;
}
