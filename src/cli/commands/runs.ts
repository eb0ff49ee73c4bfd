import { setTimeout as sleep } from "node:timers/promises";
import { type Json, printableLine, type RunRecord } from "../../contract/index.ts";
import { cancelRun, listRuns, type RunDetails, showRun } from "../../engine/index.ts";
import type { Store, StoredEvent } from "../../store/index.ts";
import { type CommandContext, execute } from "../execute.ts";
import type { CommandResult } from "../output/events.ts";
import { type CommonOptions, openProject } from "../project.ts";

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

async function reading<T>(options: CommonOptions, look: (store: Store) => T | Promise<T>): Promise<T> {
  const store = openProject(options).openStore("read");
  try {
    return await look(store);
  } finally {
    store.close();
  }
}

export const listRunsCommand = (options: CommonOptions): Promise<void> =>
  execute("runs list", options, () =>
    reading(options, (store) => {
      const runs = listRuns(store);
      const lines = runs.length === 0 ? ["no run yet"] : runs.map(runLine);
      return done({ runs: runs.length }, lines, { runs: runs as unknown as Json });
    }),
  );

export const showRunCommand = (id: string, options: CommonOptions & { follow?: boolean }): Promise<void> =>
  execute("runs show", options, (context) =>
    reading(options, async (store) => {
      const details = options.follow ? await follow(context, store, id) : showRun(store, id);
      return done({ steps: details.run.steps }, describe(details), { run: details as unknown as Json });
    }),
  );

async function follow({ report, signal }: CommandContext, store: Store, id: string): Promise<RunDetails> {
  let details = showRun(store, id);
  let last = (details.events[0]?.id ?? 1) - 1;
  for (;;) {
    const isLive = details.run.status === "running" || details.run.status === "pending";
    for (const event of store.events.read({ run: id, after: last })) {
      last = event.id;
      report.event({ type: "run-event", time: event.time, event: event.body, text: eventLine(event) });
    }
    if (!isLive || signal.aborted) return details;
    await sleep(300, undefined, { signal }).catch(() => {});
    details = showRun(store, id);
  }
}

function eventLine({ time, type, body }: StoredEvent): string {
  const fields = Object.entries(body as Record<string, Json>)
    .filter(([name, value]) => name !== "type" && value !== null && JSON.stringify(value) !== "[]")
    .map(([name, value]) => `${name}=${printableLine(typeof value === "string" ? value : JSON.stringify(value))}`);
  return [new Date(time).toISOString(), type, ...fields].join("  ");
}

const describe = ({ run, owner, stages, inFlight, attempts }: RunDetails): string[] => [
  runLine(run),
  `input     ${JSON.stringify(run.input)}`,
  ...(owner === null ? [] : [`owner     ${owner}`]),
  ...stages.map(({ stage, status, count }) => `${stage.padEnd(9)} ${status} ${count}`),
  ...inFlight.map(({ key, stage }) => `in flight ${stage ?? ""} ${key}`),
  `earlier attempts: ${Object.entries(attempts)
    .map(([how, count]) => `${how} ${count}`)
    .join(" · ")}`,
];

export const cancelRunCommand = (id: string, options: CommonOptions): Promise<void> =>
  execute("runs cancel", options, async () => {
    const status = await cancelRun(openProject(options).stateDirectory, id, "asked to on the command line");
    return done({}, [`${id}: ${status}`], { run: id, runStatus: status });
  });
