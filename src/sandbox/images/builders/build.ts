// An image made by an engine: bases resolved, Dockerfile rewritten, built under a content-addressed tag, exported once.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Image, SandboxError } from "../../../contract/index.ts";
import { shiftOwners } from "../../box/owner-shift.ts";
import { removeTree } from "../../box/remove-tree.ts";
import type { BaseResolver, ResolvedBase } from "../bases/resolve.ts";
import type { BuildContext } from "../context/read.ts";
import { type Dockerfile, parseDockerfile } from "../dockerfile/index.ts";
import { completeRoot } from "../export.ts";
import { withFileLock } from "../lock.ts";
import type { ImageRequest } from "../store.ts";
import { loadStoredImage, publish, type StoredImage, toImage } from "../stored-image.ts";
import { BuildFailure, type EngineBuilder } from "./builder.ts";
import { isDisconnect } from "./connect.ts";
import { references, rewriteDockerfile } from "./rewrite.ts";

export type EngineImagesOptions = {
  readonly builder: EngineBuilder;
  readonly resolveBase: BaseResolver;
  readonly imagesDirectory: string;
  readonly caBundle: Buffer | null;
  readonly exportRootFileSystem: boolean;
  readonly network: "default" | "none" | "host";
};
type Prepared = {
  readonly digest: string;
  readonly dockerfile: Dockerfile;
  readonly text: string;
  readonly context: BuildContext;
  readonly bases: ReadonlyMap<string, ResolvedBase>;
};
export type EngineResult = { image: Image; built: boolean; log: string };

export function engineImages(options: EngineImagesOptions) {
  const { builder, imagesDirectory } = options;
  const known = new Set<string>();
  const running = new Map<string, Promise<EngineResult>>();

  async function prepare(
    context: BuildContext,
    text: string,
    signal: AbortSignal,
    log: (text: string) => void,
  ): Promise<Prepared> {
    const dockerfile = parseDockerfile(text);
    const file = join(context.directory, "Dockerfile");
    const broken = dockerfile.problems.find((problem) => problem.severity === "error");
    if (broken)
      throw new SandboxError({
        code: "image_build_failed",
        message: broken.message,
        where: { file, line: broken.line },
        remedy: "correct the Dockerfile",
      });
    const bases = new Map<string, ResolvedBase>();
    for (const { reference, line } of references(dockerfile).external)
      if (!bases.has(reference))
        bases.set(reference, await options.resolveBase(reference, { signal, log, where: { file, line } }));
    const identity = JSON.stringify([
      "engine",
      [...bases].map(([reference, base]) => [reference, base.id]).sort(),
      context.digest,
      context.dockerfile === null ? text : "",
      options.caBundle ? createHash("sha256").update(options.caBundle).digest("hex") : "",
    ]);
    return {
      digest: `sha256:${createHash("sha256").update(identity).digest("hex")}`,
      dockerfile,
      text,
      context,
      bases,
    };
  }

  const tagOf = (digest: string): string => `routesetter:${digest.slice("sha256:".length, "sha256:".length + 40)}`;

  async function usable(digest: string): Promise<Image | null> {
    const stored = loadStoredImage(imagesDirectory, digest);
    if (!stored || (options.exportRootFileSystem && stored.layers.length === 0)) return null;
    if (builder.isDocker && !known.has(digest)) {
      if (stored.dockerTag === undefined || !(await builder.inspect(stored.dockerTag))) return null;
      known.add(digest);
    }
    return toImage(imagesDirectory, stored);
  }

  async function make(prepared: Prepared, signal: AbortSignal, chunks: string[]): Promise<EngineResult> {
    const { digest, context, dockerfile, text, bases } = prepared;
    const tag = tagOf(digest);
    const name = digest.slice("sha256:".length);
    const { text: rewritten, extra } = rewriteDockerfile(text, dockerfile, {
      caBundle: options.caBundle,
      base: (reference) => {
        const base = bases.get(reference);
        return base ? { tag: base.tag, environment: base.configuration.environment } : null;
      },
    });
    await builder.build({
      contextDirectory: context.directory,
      entries: context.entries,
      extra,
      dockerfile: rewritten,
      tag,
      signal,
      network: options.network,
      log: (chunk) => chunks.push(chunk),
    });
    const made = await builder.inspect(tag);
    if (!made) throw new Error(`${builder.name} doesn't know ${tag} although it was just built`);
    const stored: StoredImage = {
      version: 1,
      digest,
      layers: options.exportRootFileSystem ? [`${name}/root`] : [],
      hostSystem: false,
      ...(builder.isDocker && { dockerTag: tag }),
      configuration: made.configuration,
      provenance: provenanceOf(prepared, builder.name),
    };
    const there = loadStoredImage(imagesDirectory, digest);
    if (!there || (options.exportRootFileSystem && there.layers.length === 0)) {
      if (there) await removeTree(join(imagesDirectory, name));
      const temporary = join(imagesDirectory, `.new-${process.pid}-${name.slice(0, 16)}`);
      await removeTree(temporary);
      mkdirSync(temporary, { recursive: true });
      try {
        if (options.exportRootFileSystem) {
          const root = join(temporary, "root");
          await builder.extract(tag, root);
          await completeRoot(root);
          await shiftOwners(root);
        }
        writeFileSync(join(temporary, "image.json"), JSON.stringify(stored));
        publish(temporary, join(imagesDirectory, name));
      } finally {
        await removeTree(temporary);
      }
    }
    known.add(digest);
    return {
      image: toImage(imagesDirectory, loadStoredImage(imagesDirectory, digest) ?? stored),
      built: true,
      log: chunks.join(""),
    };
  }

  async function withDeadline<T>(
    request: ImageRequest,
    chunks: string[],
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const limit = request.timeoutMilliseconds ? AbortSignal.timeout(request.timeoutMilliseconds) : null;
    const signals = [limit, request.signal].filter((signal) => signal != null);
    const signal = signals.length > 0 ? AbortSignal.any(signals) : new AbortController().signal;
    try {
      return await work(signal);
    } catch (error) {
      throw explain(error, request, limit?.aborted === true && request.signal?.aborted !== true, chunks.join(""));
    }
  }

  return {
    digest: (request: ImageRequest, context: BuildContext, text: string): Promise<string> =>
      withDeadline(request, [], async (signal) => (await prepare(context, text, signal, () => {})).digest),
    async resolve(request: ImageRequest, context: BuildContext, text: string): Promise<EngineResult> {
      const chunks: string[] = [];
      return await withDeadline(request, chunks, async (signal) => {
        const prepared = await prepare(context, text, signal, (chunk) => chunks.push(chunk));
        const there = await usable(prepared.digest);
        if (there) return { image: there, built: false, log: "" };
        const earlier = running.get(prepared.digest);
        if (earlier) return { ...(await earlier), built: false };
        const work = withFileLock(join(imagesDirectory, `.lock-${prepared.digest.slice(7, 47)}`), signal, async () => {
          const meanwhile = await usable(prepared.digest);
          return meanwhile ? { image: meanwhile, built: false, log: "" } : await make(prepared, signal, chunks);
        });
        running.set(prepared.digest, work);
        try {
          return await work;
        } finally {
          running.delete(prepared.digest);
        }
      });
    },
  };

  function explain(error: unknown, request: ImageRequest, timedOut: boolean, log: string): unknown {
    const file = join(request.context, "Dockerfile");
    const details = { log: log.slice(-8_000), builder: builder.name };
    if (timedOut)
      return new SandboxError({
        code: "image_build_timeout",
        message: `the image wasn't built within ${request.timeoutMilliseconds} ms; the build was stopped`,
        where: { file },
        remedy: "raise [environment].build_timeout_sec or make the build smaller",
        details,
        cause: error,
      });
    if (
      error instanceof BuildFailure &&
      /failed to create endpoint|could not find bridge|no space left on device/i.test(error.message)
    )
      return new SandboxError({
        code: /no space left/i.test(error.message) ? "host_disk_full" : "engine_failed",
        message: `${builder.name} itself failed while it was building: ${error.message.slice(0, 400)}`,
        where: { file },
        remedy: "look at the engine's log, its network and its disk, and resume",
        isRetryable: true,
        details,
        cause: error,
      });
    if (error instanceof BuildFailure) {
      const step = error.step;
      const line = step ? lineOf(step, request) : undefined;
      const tail = log.trim().split("\n").slice(-3).join(" | ");
      return new SandboxError({
        code: "image_build_failed",
        message: `${error.message}${step ? ` at "${step}"` : ""}${tail ? ` (output ends: ${tail.slice(-300)})` : ""}`,
        where: line === undefined ? { file } : { file, line },
        remedy: "correct the Dockerfile or what it copies",
        details,
      });
    }
    if (isDisconnect(error) && !SandboxError.isInstance(error))
      return new SandboxError({
        code: "engine_unavailable",
        message: `${builder.name} went away while it was building: ${(error as Error).message}`,
        remedy: "start it again and resume",
        isRetryable: true,
        details,
        cause: error,
      });
    return error;
  }
}

/** The line of the instruction that a builder's step names. */
function lineOf(step: string, request: ImageRequest): number | undefined {
  const squeeze = (text: string): string => text.replace(/\s+/g, " ").trim();
  const wanted = squeeze(step.replace(/^\[[^\]]*\]\s*/, ""));
  const dockerfile = parsedAt(request);
  return dockerfile?.instructions.find((one) => {
    const own = squeeze(`${one.keyword} ${one.text}`);
    return own === wanted || (wanted.length > 20 && own.startsWith(wanted.slice(0, 60)));
  })?.line;
}

function parsedAt(request: ImageRequest): Dockerfile | null {
  try {
    return parseDockerfile(readFileSync(join(request.context, "Dockerfile"), "utf8"));
  } catch {
    return null;
  }
}

function provenanceOf(prepared: Prepared, builder: string): Image["provenance"] {
  const { dockerfile, bases } = prepared;
  const last = dockerfile.stages.at(-1)?.from.image ?? "scratch";
  const all = [...bases.values()];
  const notes = all.flatMap((base) => (base.note ? [base.note] : []));
  const how = all.some((base) => base.how === "substituted")
    ? "substituted"
    : all.some((base) => base.how === "bootstrapped")
      ? "bootstrapped"
      : "built";
  const base = references(dockerfile).externalOf(last) ?? [...bases.keys()][0] ?? "scratch";
  return { base, how, builder, ...(notes.length > 0 && { note: notes.join("; ") }) };
}
