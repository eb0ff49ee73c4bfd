import type { TaskConfiguration } from "./configuration.ts";
import type { Requirements } from "./requirements.ts";

export type TaskScript = { readonly name: string; readonly path: string };

/** A task folder that was read and found valid. `directory` is absolute; the other paths are relative to it. */
export type Task = {
  readonly directory: string;
  /** `[task].name`, or the folder's name. */
  readonly id: string;
  /** Harbor's digest, `sha256:…`. */
  readonly digest: string;
  readonly configuration: TaskConfiguration;
  /** Canary lines stripped. */
  readonly instruction: string;
  /** `solution/solve.sh`, when there is one. */
  readonly solution: TaskScript | null;
  /** `solution/partial_*.sh`, sorted by name. */
  readonly partials: readonly TaskScript[];
  readonly requirements: Requirements | null;
  readonly warnings: readonly TaskWarning[];
};
export type TaskWarning = {
  readonly message: string;
  readonly file: string;
  readonly line?: number;
  readonly field?: string;
};
