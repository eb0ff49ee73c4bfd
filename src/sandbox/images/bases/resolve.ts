// Where a base image comes from: the engine has it, a registry gives it, Debian's packages make it, or the
// configuration names a substitute. What couldn't be pulled is remembered for the run.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { type ImageProvenance, SandboxError } from "../../../contract/index.ts";
import type { EngineBuilder, EngineImage } from "../builders/builder.ts";
import { bootstrapDebian, bootstrapProblem, debianSuite } from "./debian.ts";
import { profileOf, substituteFor } from "./substitutes.ts";

export type ResolvedBase = EngineImage & {
  readonly tag: string;
  readonly how: Exclude<ImageProvenance["how"], "host" | "built" | "imported"> | "present";
  readonly note: string | null;
};
export type BaseOptions = {
  readonly builder: EngineBuilder;
  readonly cacheDirectory: string;
  readonly substitutes: Readonly<Record<string, string>>;
  readonly pullTimeoutMilliseconds: number;
  readonly caBundle: Buffer | null;
};
export type BaseResolver = (
  reference: string,
  options: { signal: AbortSignal; log: (text: string) => void; where: { file: string; line: number } },
) => Promise<ResolvedBase>;

export function baseResolver(options: BaseOptions): BaseResolver {
  const { builder } = options;
  const unpullable = new Map<string, string>();
  const running = new Map<string, Promise<ResolvedBase>>();
  const found = (
    image: EngineImage,
    tag: string,
    how: ResolvedBase["how"],
    note: string | null = null,
  ): ResolvedBase => ({
    ...image,
    tag,
    how,
    note,
  });
  const require = async (tag: string): Promise<EngineImage> => {
    const image = await builder.inspect(tag);
    if (!image) throw new Error(`${builder.name} doesn't know ${tag} although it was just made`);
    return image;
  };

  const resolve: BaseResolver = async (reference, request) => {
    const present = await builder.inspect(reference);
    if (present) return found(present, reference, "present");
    let reason = unpullable.get(reference);
    if (reason === undefined) {
      const deadline = AbortSignal.any([request.signal, AbortSignal.timeout(options.pullTimeoutMilliseconds)]);
      try {
        await builder.pull(reference, deadline);
        const pulled = await builder.inspect(reference);
        if (pulled) return found(pulled, reference, "pulled");
        reason = "the pull ended without an image";
      } catch (error) {
        request.signal.throwIfAborted();
        reason = (error as Error).message;
      }
      unpullable.set(reference, reason);
    }
    const substitute = substituteFor(reference, options.substitutes);
    if (substitute !== null) return await useSubstitute(reference, substitute, request);
    const suite = debianSuite(reference);
    const problem = suite === null ? null : bootstrapProblem();
    if (suite !== null && problem === null) return await bootstrap(reference, suite, request);
    throw new SandboxError({
      code: "image_missing",
      message: `the base image ${reference} isn't here and can't be pulled: ${reason.slice(0, 300)}${problem ? `; ${problem}` : ""}`,
      where: request.where,
      remedy: `load the image into the engine, or name a stand-in: substitutes = { "${reference}" = "…" }`,
      isRetryable: true,
    });
  };

  async function bootstrap(
    reference: string,
    suite: string,
    request: Parameters<BaseResolver>[1],
  ): Promise<ResolvedBase> {
    const note = `${reference} couldn't be pulled and was bootstrapped from Debian's packages (${suite})`;
    const tag = `routesetter-base:debian-${suite}`;
    const present = await builder.inspect(tag);
    if (present) return found(present, tag, "bootstrapped", note);
    request.log(`${reference} can't be pulled; bootstrapping Debian ${suite} from its packages\n`);
    try {
      const file = await bootstrapDebian(join(options.cacheDirectory), suite, request);
      await builder.importTar(file, tag, { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" });
    } catch (error) {
      request.signal.throwIfAborted();
      throw new SandboxError({
        code: "image_missing",
        message: `${reference} can't be pulled, and bootstrapping it failed: ${(error as Error).message}`,
        where: request.where,
        remedy: "check the network and the package mirror, or load the image into the engine",
        isRetryable: true,
        cause: error,
      });
    }
    return found(await require(tag), tag, "bootstrapped", note);
  }

  async function useSubstitute(
    reference: string,
    substitute: string,
    request: Parameters<BaseResolver>[1],
  ): Promise<ResolvedBase> {
    const base = await resolveOnce(substitute, request);
    const note = `${substitute} stands in for ${reference} by configuration${base.note ? ` (${base.note})` : ""}`;
    const profile = profileOf(reference);
    if (profile.length === 0) return found(base, base.tag, "substituted", note);
    const identity = createHash("sha256")
      .update(JSON.stringify([base.id, profile]))
      .digest("hex")
      .slice(0, 24);
    const tag = `routesetter-substitute:${identity}`;
    if (!(await builder.inspect(tag)))
      await builder.build({
        contextDirectory: "/",
        entries: [],
        extra: {},
        dockerfile: `FROM ${base.tag}\n${profile.join("\n")}\n`,
        tag,
        signal: request.signal,
        network: "default",
        log: request.log,
      });
    return found(await require(tag), tag, "substituted", note);
  }

  const resolveOnce: BaseResolver = (reference, request) => {
    const earlier = running.get(reference);
    if (earlier) return earlier;
    const work = resolve(reference, request).finally(() => running.delete(reference));
    running.set(reference, work);
    return work;
  };
  return resolveOnce;
}
