// Builds with the Docker engine's API (BuildKit through a session, as the engine's own client does it).
import { createReadStream } from "node:fs";
import { readdir, rmdir } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type Docker from "dockerode";
import { extractTar } from "../export.ts";
import { BuildFailure, type EngineBuild, type EngineBuilder } from "./builder.ts";
import { decodeTrace } from "./buildkit-trace.ts";
import { dockerProblem, openDocker, statusOf } from "./connect.ts";
import { contextTar } from "./context-tar.ts";

export const environmentOf = (list: readonly string[] | null | undefined): Record<string, string> =>
  Object.fromEntries(
    (list ?? []).map((pair) => {
      const at = pair.indexOf("=");
      return at < 0 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );

export function dockerBuilder(socketPath?: string): EngineBuilder {
  let opened: Promise<Docker> | null = null;
  const open = (): Promise<Docker> => {
    opened ??= openDocker(socketPath);
    return opened;
  };
  return {
    name: "docker",
    isDocker: true,
    close: async () => {},
    problem: async () => dockerProblem(await open()),
    async inspect(reference) {
      try {
        const found = await (await open()).getImage(reference).inspect();
        return {
          id: found.Id,
          configuration: {
            environment: environmentOf(found.Config?.Env),
            workingDirectory: found.Config?.WorkingDir || "/",
            user: found.Config?.User ?? "",
          },
        };
      } catch (error) {
        if (statusOf(error) === 404 || statusOf(error) === 400) return null;
        throw error;
      }
    },
    async pull(reference, signal) {
      const stream = (await (await open()).pull(reference, { abortSignal: signal })) as Readable;
      await followLines(stream, () => {});
    },
    async importTar(file, tag, environment) {
      const [repo = tag, version = "latest"] = tag.split(":");
      const changes = Object.entries(environment).map(([name, value]) => `ENV ${name}=${value}`);
      const stream = await (await open()).importImage(createReadStream(file), { repo, tag: version, changes });
      await followLines(stream as Readable, () => {});
    },
    build: async (build) => buildWithDocker(await open(), build),
    async extract(tag, directory) {
      const container = await (await open()).createContainer({ Image: tag, Cmd: ["/none"], NetworkDisabled: true });
      try {
        await extractTar((await container.export()) as Readable, directory);
      } finally {
        await container.remove({ force: true, v: true });
      }
    },
  };
}

let buildCount = 0;

async function buildWithDocker(docker: Docker, build: EngineBuild): Promise<void> {
  const identity = `routesetter-build-${process.pid}-${buildCount++}`;
  const { CgroupDriver } = (await docker.info()) as { CgroupDriver?: string };
  const cgroupparent = CgroupDriver === "systemd" ? `${identity.replaceAll("-", "")}.slice` : `/${identity}`;
  let step: string | null = null;
  let failure: string | null = null;
  try {
    const stream = (await docker.buildImage(
      contextTar(build, ".routesetter/Dockerfile") as unknown as NodeJS.ReadableStream,
      {
        dockerfile: ".routesetter/Dockerfile",
        t: build.tag,
        version: "2",
        buildid: identity,
        cgroupparent,
        networkmode: build.network,
        forcerm: true,
        rm: true,
        pull: false,
        abortSignal: build.signal,
      } as unknown as Docker.ImageBuildOptions,
    )) as unknown as Readable;
    const progress = progressReader();
    await followLines(
      stream,
      (line) => {
        for (const { text, failedStep } of progress(line)) {
          if (failedStep) step = failedStep;
          build.log(text);
        }
        if (line.error) failure = line.error;
      },
      false,
    );
  } catch (error) {
    if (build.signal.aborted) {
      await stopBuild(docker, identity, cgroupparent);
      throw build.signal.reason;
    }
    if (statusOf(error) >= 400 && statusOf(error) < 500) throw new BuildFailure((error as Error).message, null);
    throw error;
  } finally {
    await removeGroups(identity);
  }
  if (failure !== null) throw new BuildFailure(failure, step);
}

/** Cancels by identity and waits until no container of the build runs; kills what is left. */
async function stopBuild(docker: Docker, identity: string, cgroupParent: string): Promise<void> {
  const modem = docker.modem as unknown as { dial(options: object, callback: (error: unknown) => void): void };
  await new Promise<void>((resolve) =>
    modem.dial(
      {
        path: `/build/cancel?id=${identity}&`,
        method: "POST",
        options: {},
        statusCodes: { 200: true, 204: true, 404: true, 500: true },
      },
      () => resolve(),
    ),
  );
  for (let attempt = 0; attempt < 50; attempt++) {
    const running = await docker.listContainers();
    const ours: Docker.Container[] = [];
    for (const { Id } of running) {
      const container = docker.getContainer(Id);
      const details = await container.inspect().catch(() => null);
      if (details?.HostConfig.CgroupParent === cgroupParent) ours.push(container);
    }
    if (ours.length === 0 && (await processesOf(identity)) === 0) return;
    if (attempt >= 5) for (const container of ours) await container.remove({ force: true, v: true }).catch(() => {});
    await sleep(100);
  }
}

const groupRoots = async (): Promise<string[]> => {
  const root = "/sys/fs/cgroup";
  const names = await readdir(root).catch(() => []);
  return [root, ...names.map((name) => join(root, name))];
};

/** Processes in the build's cgroups on this machine; 0 when they can't be seen. */
async function processesOf(identity: string): Promise<number> {
  let count = 0;
  for (const root of await groupRoots()) {
    const groups = await readdir(join(root, identity), { withFileTypes: true }).catch(() => []);
    count += groups.filter((group) => group.isDirectory()).length;
  }
  return count;
}

async function removeGroups(identity: string): Promise<void> {
  for (const root of await groupRoots()) await rmdir(join(root, identity)).catch(() => {});
}

type ProgressLine = { id?: string; aux?: unknown; stream?: string; error?: string; status?: string };

/** Reads JSON lines; an `error` line rejects unless `rejectOnError` is false. */
async function followLines(
  stream: Readable,
  onLine: (line: ProgressLine) => void,
  rejectOnError = true,
): Promise<void> {
  let rest = "";
  for await (const chunk of stream) {
    rest += chunk.toString("utf8");
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) take(text);
  }
  take(rest);
  function take(text: string): void {
    if (text.trim() === "") return;
    const line = JSON.parse(text) as ProgressLine;
    onLine(line);
    if (line.error && rejectOnError) throw new Error(line.error);
  }
}

/** Turns progress lines of either kind into text, and names the step that failed. */
function progressReader(): (line: ProgressLine) => { text: string; failedStep?: string }[] {
  const started = new Set<string>();
  return (line) => {
    if (line.id === "moby.buildkit.trace" && typeof line.aux === "string") {
      const trace = decodeTrace(line.aux);
      const out: { text: string; failedStep?: string }[] = [];
      for (const vertex of trace.vertexes) {
        if (vertex.started && !started.has(vertex.digest) && started.add(vertex.digest))
          out.push({ text: `${vertex.name}\n` });
        if (vertex.error) out.push({ text: `${vertex.error}\n`, failedStep: vertex.name });
      }
      for (const text of trace.logs) out.push({ text });
      return out;
    }
    const text = line.stream ?? line.error ?? line.status;
    return text === undefined ? [] : [{ text: text.endsWith("\n") ? text : `${text}\n` }];
  };
}
