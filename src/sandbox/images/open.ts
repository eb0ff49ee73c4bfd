// The image store: decides which builder makes an image, builds each content once, gives the same image to everyone.
import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Image, SandboxError } from "../../contract/index.ts";
import { readBuildContext } from "./context/read.ts";
import { type PreparedHostImage, prepareHostImage, writeHostImage } from "./host/build.ts";
import type { ImageRequest, ImageStore } from "./store.ts";
import { loadStoredImage, toImage } from "./stored-image.ts";

export type ImageStoreOptions = {
  /** Images lie in its folder `images`. */
  readonly stateDirectory: string;
  /** Default `auto`: the machine's own system where it suffices, else the Docker engine, else buildah. */
  readonly builder?: "auto" | "host" | "docker" | "buildah";
  /** Added to owners on disk; default 100,000 as root (where `box` maps 65,536 uids to) and none otherwise. */
  readonly ownerShift?: number | null;
};

/** Opens the store; nothing is read or written but the folder. */
export function openImageStore(options: ImageStoreOptions): ImageStore {
  const directory = join(resolve(options.stateDirectory), "images");
  mkdirSync(directory, { recursive: true });
  const ownerShift =
    options.ownerShift === undefined ? (process.getuid?.() === 0 ? 100_000 : null) : options.ownerShift;
  const running = new Map<string, Promise<{ image: Image; built: boolean; log: string }>>();

  const prepare = (request: ImageRequest): PreparedHostImage => {
    const { context, text } = readRequest(request);
    return prepareHostImage(context, text);
  };
  return {
    async resolve(request) {
      request.signal?.throwIfAborted();
      const prepared = prepare(request);
      const there = loadStoredImage(directory, prepared.digest);
      if (there) return { image: toImage(directory, there), built: false, log: "" };
      const earlier = running.get(prepared.digest);
      if (earlier) return { ...(await earlier), built: false };
      const work = writeHostImage(prepared, directory, ownerShift).then((stored) => ({
        image: toImage(directory, stored),
        built: true,
        log: prepared.plan.log,
      }));
      running.set(prepared.digest, work);
      try {
        return await work;
      } finally {
        running.delete(prepared.digest);
      }
    },
    digest: async (request) => prepare(request).digest,
    close: async () => {},
  };
}

/** The context and the Dockerfile's text, made up from `docker_image` when there is none. */
export function readRequest(request: ImageRequest) {
  const hasContext = existsSync(request.context);
  if (!hasContext && request.dockerImage === undefined)
    throw new SandboxError({
      code: "image_missing",
      message: "there is no environment folder and no docker_image",
      where: { file: request.context },
      remedy: "add environment/Dockerfile or [environment].docker_image",
    });
  const context = hasContext
    ? readBuildContext(request.context)
    : { directory: request.context, entries: [], dockerfile: null, digest: "empty" };
  if (context.dockerfile !== null) return { context, text: context.dockerfile };
  if (request.dockerImage === undefined)
    throw new SandboxError({
      code: "image_missing",
      message: "there is no Dockerfile and no docker_image",
      where: { file: request.context },
      remedy: "add environment/Dockerfile or [environment].docker_image",
    });
  return { context, text: `FROM ${request.dockerImage}\n` };
}
