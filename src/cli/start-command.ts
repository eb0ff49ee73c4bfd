import { resolve } from "node:path";
import type { Json } from "../contract/index.ts";
import { execute } from "./execute.ts";
import type { FlowCommand } from "./flows/flow-command.ts";
import { type CommonOptions, openProject, type Project, wholeNumber } from "./project.ts";
import { nextRunId, runIdOf, storedPath } from "./run-identity.ts";

type Paths = { readonly project: Project; readonly stored: (path: string) => string };

/**
 * Starts a command that is a durable run. `again` says what the same command line means: `continue` the run that it
 * started before (or show its result), or `afresh`. `input` refuses what can be seen to be wrong before a run exists.
 */
export function startCommand<I extends { [key: string]: Json }>(
  name: string,
  options: CommonOptions & { concurrency?: string },
  flow: FlowCommand<I>,
  input: (paths: Paths) => I | Promise<I>,
  again: "continue" | "afresh" = "afresh",
): Promise<void> {
  return execute(name, options, async (context) => {
    const project = openProject(options);
    const given = await input({ project, stored: (path) => storedPath(project, resolve(path)) });
    const concurrency = concurrencyOf(options);
    const id = again === "afresh" ? freshId(project, name) : runIdOf(name, given);
    context.report.event({ type: "run-started", run: id });
    return flow(project, { ...context, ...concurrency }, given, { id });
  });
}

/** A number that no run of this flow has yet. */
export function freshId(project: Project, flow: string): string {
  const store = project.openStore("write");
  try {
    return nextRunId(store, flow);
  } finally {
    store.close();
  }
}

export const concurrencyOf = (options: { concurrency?: string }): { concurrency?: number } =>
  options.concurrency === undefined ? {} : { concurrency: wholeNumber("--concurrency", options.concurrency, 1) };
