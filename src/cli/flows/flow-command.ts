import type { CommandContext } from "../execute.ts";
import type { CommandResult } from "../output/events.ts";
import type { Project } from "../project.ts";
import type { Redo } from "../run-flow.ts";

export type FlowStart = { readonly id: string; readonly redo?: Redo };

/** A command whose work is a durable run: started by its own verb, or continued by `runs resume`. */
export type FlowCommand<I> = (
  project: Project,
  context: CommandContext,
  input: I,
  start: FlowStart,
) => Promise<CommandResult>;
