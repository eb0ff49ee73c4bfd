import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "../contract/index.ts";
import { type Blobs, blobDigest } from "../store/index.ts";

/**
 * Whether what a step's result points at is gone or damaged: the blob that `report` or `evidence` names, or the file
 * `file` below the folder, with its `fileDigest`. Such a step is taken again.
 */
export function isEvidenceLost(result: Json, places: { blobs: Blobs; folder: string | null }): boolean {
  if (typeof result !== "object" || result === null || Array.isArray(result)) return false;
  for (const digest of [result.report, result.evidence])
    if (typeof digest === "string" && digest.startsWith("sha256:") && !holds(places.blobs.path(digest), digest))
      return true;
  const { file, fileDigest } = result;
  if (places.folder === null || typeof file !== "string" || typeof fileDigest !== "string") return false;
  return !holds(join(places.folder, file), fileDigest);
}

function holds(path: string, digest: string): boolean {
  try {
    return blobDigest(readFileSync(path)) === digest;
  } catch {
    return false;
  }
}
