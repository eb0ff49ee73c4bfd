// A snapshot: the written layer of a box, kept as one more layer of an image.
import { createHash } from "node:crypto";
import type { Image, SandboxSnapshot } from "../../contract/index.ts";
import { copyLayer } from "./copy-layer.ts";
import type { LayerEntry } from "./layer-entries.ts";
import { removeTree } from "./remove-tree.ts";
import type { Workshop } from "./workshop.ts";

export async function snapshotLayer(
  workshop: Workshop,
  image: Image,
  written: string,
  entries: ReadonlyMap<string, LayerEntry>,
): Promise<SandboxSnapshot> {
  const opaque = [...entries.values()].filter((entry) => entry.opaque).map((entry) => entry.path);
  const layer = workshop.newSnapshotLayer(new Set(opaque));
  try {
    await copyLayer(written, layer);
  } catch (error) {
    await removeTree(layer);
    throw error;
  }
  const content = [...entries.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const hash = createHash("sha256").update(JSON.stringify([image.digest, content]));
  const { dockerTag: _, ...rest } = image;
  return {
    image: { ...rest, digest: `sha256:${hash.digest("hex")}`, layers: [...image.layers, layer] },
    dispose: async () => workshop.discard(layer),
  };
}
