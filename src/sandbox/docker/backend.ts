// The docker backend: containers of an engine that is reached by its API.
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import type Docker from "dockerode";
import type { Enforcement, Image, SandboxBackend, SandboxSpec } from "../../contract/index.ts";
import { isOwnerAlive, ownerLabel } from "../box/owner-label.ts";
import { dockerProblem, engineUnavailable, openDocker, statusOf } from "../images/builders/connect.ts";
import { engineProfile } from "../system-calls/index.ts";
import { allowListObstacle } from "./container-network.ts";
import { containerSettings, labels } from "./container-settings.ts";
import { DockerSandbox } from "./docker-sandbox.ts";
import { attributed } from "./errors.ts";
import { importLayers } from "./import-layers.ts";

export type DockerOptions = {
  readonly stateDirectory: string;
  /** Default as the engine's own client has it. */
  readonly socketPath?: string;
};

let instances = 0;

/** Opens the compatible backend. Errors: SandboxError `engine_unavailable`. */
export const createDockerBackend = (options: DockerOptions): Promise<SandboxBackend> =>
  openContainers(options, (settings) => settings);

/** The same, weakened by a test that changes how containers are made. */
export async function openContainers(
  options: DockerOptions,
  alter: (settings: Docker.ContainerCreateOptions) => Docker.ContainerCreateOptions,
): Promise<SandboxBackend> {
  mkdirSync(resolve(options.stateDirectory), { recursive: true });
  const docker = await openDocker(options.socketPath);
  const problem = await dockerProblem(docker);
  if (problem !== null) throw engineUnavailable(new Error(problem));
  const systemCalls = (await hasOldFilter(docker)) ? engineProfile() : null;
  const own = ownerLabel();
  const instance = instances++;
  const sandboxes = new Map<string, DockerSandbox>();
  const imports = new Map<string, Promise<string>>();
  let counter = 0;

  const tagOf = (image: Image): Promise<string> | string => {
    if (image.dockerTag !== undefined) return image.dockerTag;
    const earlier = imports.get(image.digest);
    if (earlier) return earlier;
    const work = importLayers(docker, image);
    imports.set(image.digest, work);
    work.catch(() => imports.delete(image.digest));
    return work;
  };

  async function create(spec: SandboxSpec): Promise<DockerSandbox> {
    const id = `routesetter-${process.pid}-${own.split("-")[1]}-${instance}-${counter++}`;
    return await attributed(`create ${id}`, async () => {
      const tag = await tagOf(spec.image);
      const identity = { id, owner: spec.owner ?? own, process: own };
      const settings = alter(containerSettings(spec, tag, identity, systemCalls));
      const container = await docker.createContainer(settings);
      const sandbox = new DockerSandbox({
        docker,
        container,
        id,
        tag,
        spec,
        labels: settings.Labels ?? {},
        create,
        forget: (gone) => void sandboxes.delete(gone),
      });
      sandboxes.set(id, sandbox);
      try {
        await sandbox.start();
        return sandbox;
      } catch (error) {
        await sandbox.dispose().catch(() => {});
        throw error;
      }
    });
  }

  return {
    name: "docker",
    create,
    reap: () =>
      attributed("reap", async () => {
        const removed: string[] = [];
        const dead = (found: Record<string, string> | undefined): boolean => {
          const owner = found?.[labels.owner] ?? "";
          const process = found?.[labels.process] ?? "";
          return process !== "" && !isOwnerAlive(/^\d+-\d+-[0-9a-f]{8}$/.test(owner) ? owner : process);
        };
        const filters = { label: [labels.process] };
        for (const found of await docker.listContainers({ all: true, filters })) {
          if (!dead(found.Labels)) continue;
          await docker.getContainer(found.Id).remove({ force: true, v: true }).catch(unlessGone);
          removed.push(found.Names[0]?.replace(/^\//, "") ?? found.Id);
        }
        for (const found of await docker.listImages({ filters })) {
          const tag = found.RepoTags?.find((name) => name.startsWith("routesetter-snapshot:"));
          if (!tag || !dead(found.Labels)) continue;
          await docker.getImage(tag).remove({ force: true }).catch(unlessGone);
          removed.push(tag);
        }
        return removed;
      }),
    async probe() {
      const trouble = await dockerProblem(docker);
      if (trouble !== null) return { problems: [trouble], enforcement: [] };
      const info = (await docker.info()) as {
        MemoryLimit?: boolean;
        SwapLimit?: boolean;
        PidsLimit?: boolean;
        Driver?: string;
        OSType?: string;
        SecurityOptions?: string[];
      };
      const problems = info.OSType && info.OSType !== "linux" ? [`the engine runs ${info.OSType} containers`] : [];
      const enforcement: Enforcement[] = [
        info.MemoryLimit === false
          ? { limit: "memory", how: "none", by: "the engine's kernel has no memory control group" }
          : {
              limit: "memory",
              how: "enforced",
              by: `the container's control group${info.SwapLimit === false ? " (swap isn't counted)" : ""}`,
            },
        info.PidsLimit === false
          ? { limit: "processes", how: "none", by: "the engine's kernel has no pids control group" }
          : {
              limit: "processes",
              how: "enforced",
              by: "the container's control group, with a few slots for the engine itself",
            },
        {
          limit: "disk",
          how: "watched",
          by: `the ${info.Driver ?? "engine's"} layer counted five times a second, each file by RLIMIT_FSIZE`,
        },
        { limit: "cpu", how: "enforced", by: "RLIMIT_CPU of each process" },
        { limit: "time", how: "enforced", by: "this process kills the command's whole tree" },
        { limit: "output", how: "enforced", by: "only the asked bytes are kept" },
        systemCallLine(info.SecurityOptions ?? [], systemCalls !== null),
        { limit: "network", how: "enforced", by: `a network namespace; ${allowListLine()}` },
      ];
      return { problems, enforcement };
    },
    async close() {
      await Promise.all([...sandboxes.values()].map((sandbox) => sandbox.dispose()));
    },
  };
}

/** Engines before version 25 leave io_uring and sockets to the hypervisor open. */
async function hasOldFilter(docker: Docker): Promise<boolean> {
  const [{ Version }, { SecurityOptions = [] }] = await Promise.all([
    docker.version(),
    docker.info() as Promise<{ SecurityOptions?: string[] }>,
  ]);
  return filters(SecurityOptions) && Number.parseInt(Version, 10) < 25;
}

const filters = (options: readonly string[]): boolean => options.some((option) => option.startsWith("name=seccomp"));

function systemCallLine(options: readonly string[], own: boolean): Enforcement {
  const limit = "system calls";
  if (!filters(options)) return { limit, how: "none", by: "the engine has no seccomp filters" };
  return {
    limit,
    how: "enforced",
    by: own ? "a filter of ours, since the engine's is an old one" : "the engine's filter",
  };
}

function allowListLine(): string {
  const obstacle = allowListObstacle(process.getuid?.() ?? null, 1);
  if (obstacle !== null) return `no allow-list: ${obstacle}`;
  return "an allow-list by a proxy in this process, if the engine's processes are on this machine";
}

const unlessGone = (error: unknown): void => {
  if (statusOf(error) !== 404 && statusOf(error) !== 409) throw error;
};
