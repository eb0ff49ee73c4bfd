// Layers on disk as an image of the engine: for images that another builder made. Owners are shifted back.
import { createReadStream } from "node:fs";
import { lstat, readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type Docker from "dockerode";
import tar from "tar-stream";
import { type Image, SandboxError } from "../../contract/index.ts";
import { ownerShift } from "../box/owner-shift.ts";

/** The tag under which the engine knows the image; imported once. Errors: SandboxError `image_unsuitable`. */
export async function importLayers(docker: Docker, image: Image): Promise<string> {
  if (image.hostSystem)
    throw new SandboxError({
      code: "image_unsuitable",
      message: "this image's lowest layer is the machine's own /usr, which a container can't have",
      remedy: 'resolve the image with the docker builder (builder: "docker")',
    });
  if (image.layers.length === 0)
    throw new SandboxError({
      code: "image_missing",
      message: "the image has neither layers nor a name in the engine",
      remedy: "resolve it again",
    });
  const repo = "routesetter-import";
  const tag = image.digest.replace(/^sha256:/, "").slice(0, 40);
  const present = await docker
    .getImage(`${repo}:${tag}`)
    .inspect()
    .catch((error: { statusCode?: number }) => {
      if (error.statusCode === 404) return null;
      throw error;
    });
  if (present) return `${repo}:${tag}`;
  const stream = (await docker.importImage(packLayers(image.layers) as unknown as NodeJS.ReadableStream, {
    repo,
    tag,
  })) as Readable;
  let last = "";
  for await (const chunk of stream) last = chunk.toString("utf8");
  if (/"error"/.test(last)) throw new Error(last);
  return `${repo}:${tag}`;
}

function packLayers(layers: readonly string[]): Readable {
  const pack = tar.pack();
  const shift = ownerShift();
  const owner = (id: number): number => (id >= shift ? id - shift : id);
  const visit = async (layer: string, path: string, links: Map<number, string>): Promise<void> => {
    const from = join(layer, path);
    const status = await lstat(from);
    const header = {
      name: path === "" ? "./" : path,
      mode: status.mode & 0o7777,
      uid: owner(status.uid),
      gid: owner(status.gid),
      mtime: status.mtime,
    };
    if (status.isSymbolicLink()) pack.entry({ ...header, type: "symlink", linkname: await readlink(from) });
    else if (status.isDirectory()) {
      pack.entry({ ...header, type: "directory" });
      for (const name of (await readdir(from)).sort())
        await visit(layer, path === "" ? name : `${path}/${name}`, links);
    } else if (status.isFIFO()) pack.entry({ ...header, type: "fifo" });
    else if (status.isFile()) {
      const first = status.nlink > 1 ? links.get(status.ino) : undefined;
      if (first !== undefined) {
        pack.entry({ ...header, type: "link", linkname: first });
        return;
      }
      if (status.nlink > 1) links.set(status.ino, path);
      await pipeline(createReadStream(from), pack.entry({ ...header, size: status.size }));
    }
  };
  (async () => {
    for (const layer of layers) await visit(layer, "", new Map());
    pack.finalize();
  })().catch((error) => pack.destroy(error));
  return pack as unknown as Readable;
}
