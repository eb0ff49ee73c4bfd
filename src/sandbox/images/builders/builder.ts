// What an engine must be able to do so that images can be made with it: `docker` and `buildah` implement it.
import type { ImageConfiguration } from "../../../contract/index.ts";
import type { ContextEntry } from "../context/read.ts";

export type EngineImage = { readonly id: string; readonly configuration: ImageConfiguration };
export type EngineBuild = {
  readonly contextDirectory: string;
  readonly entries: readonly ContextEntry[];
  /** Files that are added to the context, by path. */
  readonly extra: Readonly<Record<string, string | Buffer>>;
  readonly dockerfile: string;
  readonly tag: string;
  readonly signal: AbortSignal;
  readonly network: "default" | "none" | "host";
  /** Gets the build's output as it comes. */
  readonly log: (text: string) => void;
};
export interface EngineBuilder {
  readonly name: "docker" | "buildah";
  /** Why it can't be used here, or null. */
  problem(): Promise<string | null>;
  inspect(reference: string): Promise<EngineImage | null>;
  /** Rejects with the registry's reason. */
  pull(reference: string, signal: AbortSignal): Promise<void>;
  /** A root file system's tar as an image. */
  importTar(file: string, tag: string, environment: Readonly<Record<string, string>>): Promise<void>;
  /** Rejects with BuildFailure; after an abort nothing of the build runs any more. */
  build(build: EngineBuild): Promise<void>;
  /** The image's whole file system, extracted into an empty folder, owners as they are inside. */
  extract(tag: string, directory: string): Promise<void>;
  /** Whether the Docker engine knows images under their tag. */
  readonly isDocker: boolean;
  close(): Promise<void>;
}

/** The build's own fault: a command failed, a file is missing. `step` is the instruction's text when it is known. */
export class BuildFailure extends Error {
  readonly step: string | null;
  constructor(message: string, step: string | null) {
    super(message);
    this.step = step;
  }
}
