import { resolve } from "node:path";
import type { Json } from "../contract/index.ts";
import { execute } from "./execute.ts";
import type { FlowCommand } from "./flows/flow-command.ts";
import { type CommonOptions, openProject, wholeNumber } from "./project.ts";
import { nextRunId, runIdOf, storedPath } from "./run-identity.ts";

/**
 * Starts a command that is a durable run. `again` says what the same command line means: `continue` the run that it
 * started before (or show its result), or `afresh`.
 */
export function startCommand<I extends { [key: string]: Json }>(
  name: string,
  options: CommonOptions & { concurrency?: string },
  flow: FlowCommand<I>,
  input: (paths: { stored: (path: string) => string }) => I,
  again: "continue" | "afresh" = "afresh",
): Promise<void> {
  return execute(name, options, async (context) => {
    const project = openProject(options);
    const given = input({ stored: (path) => storedPath(project, resolve(path)) });
    const concurrency =
      options.concurrency === undefined ? undefined : wholeNumber("--concurrency", options.concurrency, 1);
    let id = runIdOf(name, given);
    if (again === "afresh") {
      const store = project.openStore("write");
      id = nextRunId(store, name);
      store.close();
    }
    context.report.event({ type: "run-started", run: id });
    return flow(project, { ...context, ...(concurrency === undefined ? {} : { concurrency }) }, given, { id });
  });
}
