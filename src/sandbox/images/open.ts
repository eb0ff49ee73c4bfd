// The image store: decides which builder makes an image, builds each content once, gives the same image to everyone.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ConfigError, type Image, SandboxError } from "../../contract/index.ts";
import { ownerShift as boxOwnerShift } from "../box/owner-shift.ts";
import { baseResolver } from "./bases/resolve.ts";
import { engineImages } from "./builders/build.ts";
import { buildahBuilder } from "./builders/buildah-builder.ts";
import type { EngineBuilder } from "./builders/builder.ts";
import { dockerBuilder } from "./builders/docker-builder.ts";
import { type BuildContext, readBuildContext } from "./context/read.ts";
import { type PreparedHostImage, prepareHostImage, writeHostImage } from "./host/build.ts";
import type { ImageRequest, ImageStore } from "./store.ts";
import { loadStoredImage, toImage } from "./stored-image.ts";

export type ImageStoreOptions = {
  /** Images lie in its folder `images`. */
  readonly stateDirectory: string;
  /** Default `auto`: the machine's own system where it suffices, else the Docker engine, else buildah. */
  readonly builder?: "auto" | "host" | "docker" | "buildah";
  /** What stands in for bases that can't be pulled: `{ "python:*": "debian:bookworm-slim" }`. */
  readonly substitutes?: Readonly<Record<string, string>>;
  /** A file of CA certificates that builds should trust; off by default. */
  readonly caBundle?: string | null;
  /** The Docker engine's socket; default as its client has it. */
  readonly socketPath?: string;
  /** false when only the Docker backend will use the images: saves their files on disk. Default true. */
  readonly exportRootFileSystem?: boolean;
  /** What RUN commands reach; default the engine's own network. */
  readonly buildNetwork?: "default" | "none" | "host";
  /** Default 60 s: a registry that doesn't answer must not hold up a run. */
  readonly pullTimeoutMilliseconds?: number;
};
type Result = { image: Image; built: boolean; log: string };

/** Opens the store; nothing is built or asked yet. */
export function openImageStore(options: ImageStoreOptions): ImageStore {
  const stateDirectory = resolve(options.stateDirectory);
  const directory = join(stateDirectory, "images");
  mkdirSync(directory, { recursive: true });
  const shift = process.getuid?.() === 0 ? boxOwnerShift() : null;
  const wanted = options.builder ?? "auto";
  const host = hostImages(directory, shift);
  const engines = new Map<string, ReturnType<typeof engineImages>>();

  const engineFor = (builder: EngineBuilder) => {
    const there = engines.get(builder.name);
    if (there) return there;
    const caBundle = readBundle(options.caBundle);
    const made = engineImages({
      builder,
      imagesDirectory: directory,
      caBundle,
      exportRootFileSystem: options.exportRootFileSystem ?? true,
      network: options.buildNetwork ?? "default",
      resolveBase: baseResolver({
        builder,
        cacheDirectory: join(stateDirectory, "bases"),
        substitutes: options.substitutes ?? {},
        pullTimeoutMilliseconds: options.pullTimeoutMilliseconds ?? 60_000,
        caBundle,
      }),
    });
    engines.set(builder.name, made);
    return made;
  };
  const docker = dockerBuilder(options.socketPath);
  let opened: EngineBuilder | null = null;
  const buildah = (): EngineBuilder => {
    mkdirSync(join(stateDirectory, "buildah"), { recursive: true });
    opened ??= buildahBuilder(join(stateDirectory, "buildah"));
    return opened;
  };

  /** The engine to use, or why there is none. */
  const findEngine = async (): Promise<EngineBuilder | string[]> => {
    const problems: string[] = [];
    for (const builder of wanted === "docker" ? [docker] : wanted === "buildah" ? [buildah()] : [docker, buildah()]) {
      const problem = await builder.problem();
      if (problem === null) return builder;
      problems.push(problem);
    }
    return problems;
  };

  async function decide<T>(
    request: ImageRequest,
    onHost: (prepared: PreparedHostImage) => Promise<T>,
    onEngine: (images: ReturnType<typeof engineImages>, context: BuildContext, text: string) => Promise<T>,
  ): Promise<T> {
    request.signal?.throwIfAborted();
    const { context, text } = readRequest(request);
    let prepared: PreparedHostImage | null = null;
    let unsuitable: unknown = null;
    if (wanted === "host" || wanted === "auto")
      try {
        prepared = prepareHostImage(context, text);
      } catch (error) {
        if (wanted === "host" || !SandboxError.isInstance(error) || error.code !== "host_image_unsuitable") throw error;
        unsuitable = error;
      }
    if (prepared && (wanted === "host" || prepared.plan.baseMatch === "same")) return await onHost(prepared);
    const engine = await findEngine();
    if (!Array.isArray(engine)) return await onEngine(engineFor(engine), context, text);
    if (prepared) return await onHost(prepared);
    throw new SandboxError({
      code: "builder_unavailable",
      message: `the image can't be built here: ${[unsuitable instanceof Error ? unsuitable.message : "", ...engine].filter(Boolean).join("; ")}`,
      where: { file: request.context },
      remedy: "start a Docker engine, or install buildah and run as root",
      cause: unsuitable,
    });
  }

  return {
    resolve: (request) =>
      decide<Result>(request, host.resolve, (images, context, text) => images.resolve(request, context, text)),
    digest: (request) =>
      decide<string>(
        request,
        async (prepared) => prepared.digest,
        (images, context, text) => images.digest(request, context, text),
      ),
    close: async () => opened?.close(),
  };
}

function hostImages(directory: string, shift: number | null) {
  const running = new Map<string, Promise<Result>>();
  return {
    async resolve(prepared: PreparedHostImage): Promise<Result> {
      const there = loadStoredImage(directory, prepared.digest);
      if (there) return { image: toImage(directory, there), built: false, log: "" };
      const earlier = running.get(prepared.digest);
      if (earlier) return { ...(await earlier), built: false };
      const work = writeHostImage(prepared, directory, shift).then((stored) => ({
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
  };
}

function readBundle(file: string | null | undefined): Buffer | null {
  if (!file) return null;
  try {
    return readFileSync(file);
  } catch (error) {
    throw new ConfigError({
      code: "ca_bundle_unreadable",
      message: `the CA bundle can't be read: ${(error as Error).message}`,
      where: { file },
      remedy: "correct the path of the CA bundle or leave the setting out",
      cause: error,
    });
  }
}

/** The context and the Dockerfile's text, made up from `docker_image` when there is none. */
function readRequest(request: ImageRequest): { context: BuildContext; text: string } {
  const empty: BuildContext = { directory: request.context, entries: [], dockerfile: null, digest: "empty" };
  const context = existsSync(request.context) ? readBuildContext(request.context) : empty;
  if (context.dockerfile !== null) return { context, text: context.dockerfile };
  if (request.dockerImage !== undefined) return { context: empty, text: `FROM ${request.dockerImage}\n` };
  throw new SandboxError({
    code: "image_missing",
    message: "there is no Dockerfile and no docker_image",
    where: { file: request.context },
    remedy: "add environment/Dockerfile or [environment].docker_image",
  });
}
