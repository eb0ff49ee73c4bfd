import { join } from "node:path";
import { ConfigError, type Json, type RunRecord } from "../../contract/index.ts";
import { listRuns, redoInfra } from "../../engine/index.ts";
import { Blobs } from "../../store/index.ts";
import { isEvidenceLost } from "../evidence.ts";
import { execute } from "../execute.ts";
import { checkFlow } from "../flows/check-flow.ts";
import type { FlowCommand } from "../flows/flow-command.ts";
import { forgeCommandFlow } from "../flows/forge-flow.ts";
import { importFlow } from "../flows/import-flow.ts";
import { rolloutFlow } from "../flows/rollout-flow.ts";
import { type CommonOptions, openProject, type Project } from "../project.ts";
import type { Redo } from "../run-flow.ts";
import { concurrencyOf } from "../start-command.ts";

const flows: Readonly<Record<string, FlowCommand<never>>> = {
  forge: forgeCommandFlow,
  check: checkFlow,
  import: importFlow,
  rollout: rolloutFlow,
};

type ResumeOptions = CommonOptions & { concurrency?: string; only?: "infra" };

/** Continues a run. Steps whose evidence is gone or damaged are taken again; with `--only infra` the ungraded too. */
export const resumeRunCommand = (id: string, options: ResumeOptions): Promise<void> =>
  execute("runs resume", options, async (context) => {
    const project = openProject(options);
    const run = runNamed(project, id);
    const flow = flows[run.flow] as FlowCommand<never>;
    const places = {
      blobs: new Blobs(join(project.stateDirectory, "blobs"), { writable: false }),
      folder: folderOf(project, run),
    };
    const redo: Redo = (key, result) =>
      (options.only === "infra" && redoInfra(key, result)) || isEvidenceLost(result, places);
    context.report.event({ type: "run-started", run: id });
    return flow(project, { ...context, ...concurrencyOf(options) }, run.input as never, { id, redo });
  });

function runNamed(project: Project, id: string): RunRecord {
  const store = project.openStore("read");
  const run = listRuns(store).find((one) => one.id === id);
  store.close();
  if (run && flows[run.flow]) return run;
  throw new ConfigError({
    code: "run_unknown",
    message: `there is no run "${id}" in this project`,
    remedy: "routesetter runs list names them",
  });
}

/** Where a rollout's trajectories are. */
function folderOf(project: Project, { flow, input, id }: RunRecord): string | null {
  const out = (input as { out?: Json }).out;
  return flow === "rollout" && typeof out === "string" ? join(project.directory, out, id) : null;
}
