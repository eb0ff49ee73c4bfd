// An image on disk: `<digest>/image.json` with its layers' paths relative to the images folder, so that a state
// directory may move. A folder appears complete or not at all.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Image } from "../../contract/index.ts";

export type StoredImage = Omit<Image, "layers"> & { readonly version: 1; readonly layers: readonly string[] };

let counter = 0;

/** Fills a temporary folder and renames it to `name`; when another process was faster, its result stays. */
export function placeAtomically(
  imagesDirectory: string,
  name: string,
  fill: (directory: string) => void,
  stored?: StoredImage,
): void {
  const temporary = join(imagesDirectory, `.new-${process.pid}-${counter++}`);
  mkdirSync(temporary, { recursive: true });
  try {
    fill(temporary);
    if (stored) writeFileSync(join(temporary, "image.json"), JSON.stringify(stored));
    publish(temporary, join(imagesDirectory, name));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Renames a finished folder into place; an existing one wins. */
export function publish(temporary: string, destination: string): void {
  try {
    renameSync(temporary, destination);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== "ENOTEMPTY" && code !== "EEXIST") throw error;
  }
}

/** The image with this digest, or null when it isn't there or a layer of it is gone. */
export function loadStoredImage(imagesDirectory: string, digest: string): StoredImage | null {
  const directory = join(imagesDirectory, digest.slice("sha256:".length));
  let stored: StoredImage;
  try {
    stored = JSON.parse(readFileSync(join(directory, "image.json"), "utf8"));
  } catch {
    return null;
  }
  return stored.version === 1 && stored.layers.every((layer) => existsSync(join(imagesDirectory, layer)))
    ? stored
    : null;
}

export function toImage(imagesDirectory: string, stored: StoredImage): Image {
  const { version: _, ...image } = stored;
  return { ...image, layers: stored.layers.map((layer) => join(imagesDirectory, layer)) };
}
