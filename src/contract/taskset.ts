import type { Environment } from "./environment.ts";
import type { Judge } from "./judge.ts";

export type Split = "train" | "validation" | "test" | "all";
/** A task by identity; `id` is unique in its task set. */
export type TaskRef = { taskset: string; id: string };

/** Everything that can be trained on is one of these. */
export interface Taskset {
  readonly id: string;
  list(split: Split): AsyncIterable<TaskRef>;
  /** The digest of the task's content: its identity. */
  digest(ref: TaskRef): Promise<string>;
  open(ref: TaskRef): Promise<{ environment: Environment; judge: Judge }>;
}
