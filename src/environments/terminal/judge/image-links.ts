import { lstatSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { Image } from "../../../contract/index.ts";

/** Gives the target of a link that the image has at a path without links, null for everything else. */
export type ImageLinks = (path: string) => string | null;

/** Null for an image whose files can't be looked at here. */
export function imageLinks(image: Image): ImageLinks | null {
  if (image.layers.length === 0) return null;
  const layers = [...image.layers].reverse();
  return (path) => {
    if (image.hostSystem && path.startsWith("/usr/")) return linkAt(path) ?? null;
    for (const layer of layers) {
      const target = linkAt(join(layer, path));
      if (target !== undefined) return target;
    }
    return null;
  };
}

/** Undefined where nothing is, null where something else than a link is. */
function linkAt(path: string): string | null | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null;
  } catch {
    return undefined;
  }
}
