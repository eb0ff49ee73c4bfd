import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { Image } from "../../../contract/index.ts";

export type ImageEntry = "nothing" | "file" | "other";

/**
 * What an image has at a path, read from its layers without following a link. Cautious: `other` stands for folders,
 * links, and whatever lies behind a link or in an image without layers.
 */
export async function imageEntry(image: Image, path: string): Promise<ImageEntry> {
  if (image.layers.length === 0 || (image.hostSystem && path.startsWith("/usr/"))) return "other";
  for (const layer of [...image.layers].reverse()) {
    const found = await layerEntry(layer, path);
    if (found === "removed") return "nothing";
    if (found !== "nothing") return found;
  }
  return "nothing";
}

async function layerEntry(layer: string, path: string): Promise<ImageEntry | "removed"> {
  const parts = path.split("/").filter(Boolean);
  for (let depth = 1; depth <= parts.length; depth++) {
    const status = await lstat(join(layer, ...parts.slice(0, depth))).catch(() => null);
    if (status === null) return "nothing";
    if (status.isCharacterDevice() && status.rdev === 0) return "removed";
    if (depth === parts.length) return status.isFile() ? "file" : "other";
    if (!status.isDirectory()) return "other";
  }
  return "other";
}
