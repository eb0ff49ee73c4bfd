import { join } from "node:path";
import type { SandboxBackend } from "../contract/index.ts";
import { ConfigError } from "../contract/index.ts";
import { createBoxBackend, createDockerBackend, type ImageStore, openImageStore } from "../sandbox/index.ts";
import type { Project } from "./project.ts";

export type SandboxOptions = {
  backend?: "box" | "docker";
  builder?: "auto" | "host" | "docker" | "buildah";
  concurrency?: string;
  seed: string;
};

/** Where images are made and trials run. */
export type Workshop = {
  readonly backend: SandboxBackend;
  readonly images: ImageStore;
  /** What dead owners had left, and was removed. */
  readonly reaped: readonly string[];
  close(): Promise<void>;
};

/** Opens what the configuration and the command line name, and sweeps up what dead owners left. */
export async function openWorkshop(
  project: Project,
  options: { backend?: SandboxOptions["backend"] | null; builder?: SandboxOptions["builder"] | null },
): Promise<Workshop> {
  const { sandbox, images: settings } = project.configuration;
  const name = options.backend ?? sandbox.backend;
  const builder = options.builder ?? (name === "docker" ? "docker" : settings.builder);
  if (name === "docker" && builder === "host")
    throw new ConfigError({
      code: "bad_builder",
      message: "the host builder makes images that only the box backend can run",
      remedy: "take --builder docker with --backend docker",
    });
  const stateDirectory = join(project.cacheDirectory, name);
  const backend = await (name === "docker" ? createDockerBackend : createBoxBackend)({ stateDirectory });
  const reaped = await backend.reap();
  const images = openImageStore({
    stateDirectory: project.cacheDirectory,
    builder,
    substitutes: settings.substitutes,
    ...(settings.ca_bundle === undefined ? {} : { caBundle: settings.ca_bundle }),
  });
  return {
    backend,
    images,
    reaped,
    async close() {
      await images.close();
      await backend.close();
    },
  };
}

/** Variables of this process that tasks may name as `${NAME}`: those that the configuration lists, and no others. */
export function allowedVariables(project: Project): Record<string, string> {
  const allowed: Record<string, string> = {};
  for (const name of project.configuration.tasks.variables) {
    const value = process.env[name];
    if (value !== undefined) allowed[name] = value;
  }
  return allowed;
}
