import type { Json } from "../../contract/index.ts";
import type { CommandContext } from "../execute.ts";
import type { CommandResult } from "../output/events.ts";
import type { Project } from "../project.ts";

export type FlowStart = { readonly id: string; readonly redo?: (key: string, result: Json) => boolean };

/** A command whose work is a durable run: started by its own verb, or continued by `runs resume`. */
export type FlowCommand<I> = (
  project: Project,
  context: CommandContext & { readonly concurrency?: number },
  input: I,
  start: FlowStart,
) => Promise<CommandResult>;
