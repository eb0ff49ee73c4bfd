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
  /** The steps of an ordered task, in their order; none for an ordinary one. */
  readonly steps: readonly TaskStep[];
  readonly warnings: readonly TaskWarning[];
};

/** One step of an ordered task (Harbor's multi-step folders); its files lie below `steps/<name>/`. */
export type TaskStep = {
  readonly name: string;
  readonly configuration: TaskConfiguration["steps"][number];
  readonly instruction: string;
  readonly solution: TaskScript | null;
  readonly partials: readonly TaskScript[];
  /** `steps/<name>/requirements.json`; ids are unique over the whole task. */
  readonly requirements: Requirements | null;
};

export type TaskWarning = {
  readonly message: string;
  readonly file: string;
  readonly line?: number;
  readonly field?: string;
};
