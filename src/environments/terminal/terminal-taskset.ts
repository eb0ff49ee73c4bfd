import { createHash } from "node:crypto";
import { ConfigError, type Split, type TaskRef, type Taskset } from "../../contract/index.ts";
import type { Task } from "../../tasks/index.ts";
import { type OpenedTerminal, type OpenTerminalOptions, openTerminal } from "./open-terminal.ts";

/** Task folders as a task set. A task's split follows from its identity alone: 80 % train, 10 % validation, 10 % test. */
export class TerminalTaskset implements Taskset {
  readonly id: string;
  readonly #tasks: Map<string, Task>;
  readonly #options: OpenTerminalOptions;

  /** Errors: ConfigError `duplicate_task`. */
  constructor(id: string, tasks: readonly Task[], options: OpenTerminalOptions) {
    this.id = id;
    this.#options = options;
    this.#tasks = new Map(tasks.map((task) => [task.id, task]));
    if (this.#tasks.size === tasks.length) return;
    const twice = tasks.find((task, index) => tasks.findIndex((other) => other.id === task.id) < index);
    throw new ConfigError({
      code: "duplicate_task",
      message: `two tasks are called ${twice?.id}`,
      where: { file: twice?.directory ?? "" },
      remedy: "give each task a name of its own",
    });
  }

  async *list(split: Split): AsyncIterable<TaskRef> {
    for (const id of [...this.#tasks.keys()].sort())
      if (split === "all" || splitOf(id) === split) yield { taskset: this.id, id };
  }

  async digest(ref: TaskRef): Promise<string> {
    return this.#task(ref).digest;
  }

  open(ref: TaskRef): Promise<OpenedTerminal> {
    return openTerminal(this.#task(ref), this.#options);
  }

  #task(ref: TaskRef): Task {
    const task = ref.taskset === this.id ? this.#tasks.get(ref.id) : undefined;
    if (task) return task;
    throw new ConfigError({
      code: "unknown_task",
      message: `there is no task ${ref.id} in ${ref.taskset}`,
      remedy: `list the task set ${this.id}`,
    });
  }
}

function splitOf(id: string): Exclude<Split, "all"> {
  const part = createHash("sha256").update(id).digest()[0]! / 256;
  return part < 0.8 ? "train" : part < 0.9 ? "validation" : "test";
}
