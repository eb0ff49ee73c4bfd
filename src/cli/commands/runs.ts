import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ConfigError, type Json, type RunRecord } from "../../contract/index.ts";
import { cancelRun, cleanRuns, listRuns, type RunDetails, redoInfra, showRun } from "../../engine/index.ts";
import { reapWorkspaces } from "../../environments/index.ts";
import { type CommandContext, execute } from "../execute.ts";
import { checkFlow } from "../flows/check-flow.ts";
import type { FlowCommand } from "../flows/flow-command.ts";
import { forgeCommandFlow } from "../flows/forge-flow.ts";
import { rolloutFlow } from "../flows/rollout-flow.ts";
import type { CommandResult } from "../output/events.ts";
import { type CommonOptions, openProject, wholeNumber } from "../project.ts";
import { openWorkshop, type SandboxOptions } from "../workshop.ts";

const flows: Readonly<Record<string, FlowCommand<never>>> = {
  forge: forgeCommandFlow,
  check: checkFlow,
  rollout: rolloutFlow,
};

const done = (counts: CommandResult["counts"], lines: string[], data: Record<string, Json> = {}): CommandResult => ({
  status: "ok",
  counts,
  cost: {},
  outputs: [],
  lines,
  data,
});

const runLine = (run: RunRecord): string =>
  `${run.id.padEnd(20)} ${run.status.padEnd(10)} ${String(run.steps).padStart(6)} steps  ${new Date(run.createdAt).toISOString()}  ${run.error ?? ""}`.trimEnd();

export const listRunsCommand = (options: CommonOptions): Promise<void> =>
  execute("runs list", options, async () => {
    const store = openProject(options).openStore("read");
    try {
      const runs = listRuns(store);
      const lines = runs.length === 0 ? ["no run yet"] : runs.map(runLine);
      return done({ runs: runs.length }, lines, { runs: runs as unknown as Json });
    } finally {
      store.close();
    }
  });

export const showRunCommand = (id: string, options: CommonOptions & { follow?: boolean }): Promise<void> =>
  execute("runs show", options, async (context) => {
    const store = openProject(options).openStore("read");
    try {
      let details = showRun(store, id);
      if (options.follow) details = await follow(context, () => showRun(store, id), store.events);
      return done({ steps: details.run.steps }, describe(details), { run: details as unknown as Json });
    } finally {
      store.close();
    }
  });

async function follow(
  { report, signal }: CommandContext,
  look: () => RunDetails,
  events: { read(options: { run: string; after: number }): { id: number; type: string; time: number; body: Json }[] },
): Promise<RunDetails> {
  let details = look();
  let last = details.events.at(-1)?.id ?? 0;
  while (!signal.aborted && (details.run.status === "running" || details.run.status === "pending")) {
    await sleep(500, undefined, { signal }).catch(() => {});
    for (const event of events.read({ run: details.run.id, after: last })) {
      last = event.id;
      report.event({
        type: "run-event",
        event: event.body,
        text: `${new Date(event.time).toISOString()}  ${event.type}`,
      });
    }
    details = look();
  }
  return details;
}

const describe = ({ run, owner, stages, inFlight, attempts }: RunDetails): string[] => [
  runLine(run),
  `input     ${JSON.stringify(run.input)}`,
  ...(owner === null ? [] : [`owner     ${owner}`]),
  ...stages.map(({ stage, status, count }) => `${stage.padEnd(9)} ${status} ${count}`),
  ...inFlight.map(({ key, stage }) => `in flight ${stage ?? ""} ${key}`),
  `attempts  ${JSON.stringify(attempts)}`,
];

type ResumeOptions = CommonOptions & SandboxOptions & { only?: "infra" };

export const resumeRunCommand = (id: string, options: ResumeOptions): Promise<void> =>
  execute("runs resume", options, async (context) => {
    const project = openProject(options);
    const store = project.openStore("read");
    const run = listRuns(store).find((one) => one.id === id);
    store.close();
    const flow = run && flows[run.flow];
    if (!run || !flow)
      throw new ConfigError({
        code: "run_unknown",
        message: `there is no run "${id}" in this project`,
        remedy: "routesetter runs list names them",
      });
    const concurrency =
      options.concurrency === undefined ? {} : { concurrency: wholeNumber("--concurrency", options.concurrency, 1) };
    const redo = options.only === "infra" ? redoInfra : () => false;
    return flow(project, { ...context, ...concurrency }, run.input as never, { id, redo });
  });

export const cancelRunCommand = (id: string, options: CommonOptions): Promise<void> =>
  execute("runs cancel", options, async () => {
    const status = await cancelRun(openProject(options).stateDirectory, id, "asked to on the command line");
    return done({}, [`${id}: ${status}`], { run: id, runStatus: status });
  });

export const cleanRunsCommand = (options: CommonOptions & { all?: boolean }): Promise<void> =>
  execute("runs clean", options, async () => {
    const project = openProject(options);
    const store = project.openStore("write");
    try {
      const workshop = await openWorkshop(project, {});
      const reaped = await workshop.backend.reap();
      await workshop.close();
      await reapWorkspaces();
      await rm(join(project.stateDirectory, "work"), { recursive: true, force: true });
      const { removed, blobs } = options.all ? await cleanRuns(store) : { removed: [], blobs: 0 };
      return done({ runs: removed.length, blobs, sandboxes: reaped.length }, [
        `removed ${removed.length} runs, ${blobs} blobs, ${reaped.length} things that dead owners left`,
      ]);
    } finally {
      store.close();
    }
  });
