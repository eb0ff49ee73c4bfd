import { writeFile } from "node:fs/promises";
import type { Flow, GateReport, Json, RunContext } from "../../contract/index.ts";
import { type CheckSummary, countsLine, countsOf, renderRejectedText, renderTaskText } from "../../gates/index.ts";
import type { Store } from "../../store/index.ts";
import { walkTasks } from "../../tasks/index.ts";
import { openGateRoom } from "../gate-room.ts";
import type { CommandResult } from "../output/events.ts";
import { runFlow } from "../run-flow.ts";
import { shownPath } from "../run-identity.ts";
import type { SandboxOptions } from "../workshop.ts";
import { type CheckFormat, renderCheck } from "./check-format.ts";
import type { FlowCommand } from "./flow-command.ts";

export type CheckInput = {
  paths: string[];
  gates: string[];
  repeats: number;
  limit: number | null;
  seed: number;
  format: CheckFormat;
  /** File for the report, null for standard output. */
  out: string | null;
  backend: NonNullable<SandboxOptions["backend"]> | null;
  builder: NonNullable<SandboxOptions["builder"]> | null;
};
type Checked = { path: string; report: string; outcome: "success" | "failure" | "infra_error" };

/** `check`: the gauntlet over task folders, one durable step each; reports are blobs until they are rendered. */
export const checkFlow: FlowCommand<CheckInput> = async (project, context, input, start) => {
  const { report } = context;
  const rejected: { path: string; reason: string }[] = [];
  const checked: Checked[] = [];
  const reports: { path: string; report: GateReport }[] = [];
  let found = 0;
  /** Printed as it comes and not kept; other formats need all reports at the end. */
  const asText = input.format === "text" && input.out === null;
  const colour = process.stdout.isTTY === true && !process.env.NO_COLOR;

  const open = async (store: Store) => {
    const concurrency = context.concurrency ?? project.configuration.queues.trial;
    const room = await openGateRoom(project, { ...input, runId: start.id, concurrency });
    async function* tasks() {
      for await (const item of walkTasks(input.paths.map((path) => shownPath(project, path)))) {
        if (input.limit !== null && found >= input.limit) return;
        found++;
        yield item;
      }
    }
    const flow: Flow = {
      name: "check",
      version: "1",
      async run(run: RunContext): Promise<Json> {
        await run.all(
          tasks(),
          async (item) => {
            const { path } = item;
            if ("error" in item) {
              rejected.push({ path, reason: item.error.message });
              const text = asText ? { text: renderRejectedText(path, item.error.message, { colour }) } : {};
              report.event({ type: "task-rejected", path, message: item.error.message, ...text });
              return null;
            }
            const key = `check/${item.task.digest}/${path}`;
            const gauntlet = async (signal: AbortSignal): Promise<Json> => {
              const { report: found } = await room.pass(item.task, path, signal);
              const broken = !found.accepted && found.counts.error > 0;
              const outcome = found.accepted ? "success" : broken ? "infra_error" : "failure";
              return { path, outcome, report: await store.blobs.put(JSON.stringify(found)) };
            };
            const result = (await run.step(key, ({ signal }) => gauntlet(signal), {
              queue: "trial",
              stage: "check",
            })) as unknown as Checked;
            const text = (await store.blobs.get(result.report)).toString("utf8");
            const gateReport = JSON.parse(text) as GateReport;
            checked.push(result);
            reports.push({ path, report: asText ? withoutEvidence(gateReport) : gateReport });
            report.event({
              type: "report",
              path,
              report: gateReport as unknown as Json,
              ...(asText ? { text: renderTaskText(path, gateReport, { colour }) } : {}),
            });
            report.event({
              type: "progress",
              what: "check",
              done: checked.length,
              total: null,
              counts: progressCounts(checked),
            });
            return null;
          },
          { key: "check", concurrency: concurrency + 1, collect: false },
        );
        return true;
      },
    };
    return { flow, close: () => room.close() };
  };
  const run = await runFlow<CheckInput, true>(project, context, open, {
    id: start.id,
    input,
    seed: input.seed,
    ...(start.redo ? { redo: start.redo } : {}),
  });
  reports.sort((a, b) => (a.path < b.path ? -1 : 1));
  const summary: CheckSummary = { found, rejected, reports };
  const outputs: string[] = [];
  if (input.out !== null && run.output !== null) {
    const file = shownPath(project, input.out);
    await writeFile(file, renderCheck(summary, input.format));
    outputs.push(file);
  } else if (input.format !== "text") report.line(renderCheck(summary, input.format).trimEnd());
  return checkResult(run.id, run.output !== null, summary, outputs);
};

function checkResult(id: string, finished: boolean, summary: CheckSummary, outputs: string[]): CommandResult {
  const counts = countsOf(summary);
  const failed = counts.failed + counts.rejected > 0 || counts.found === 0;
  const lines = [counts.found === 0 ? "no task was found" : countsLine(summary)];
  if (!finished) lines.push(`stopped; go on with: routesetter runs resume ${id}`);
  else if (counts.notGraded > 0) lines.push(`take the ungraded again with: routesetter runs resume ${id} --only infra`);
  return {
    status: !finished ? "interrupted" : failed ? "failed" : counts.notGraded > 0 ? "infrastructure" : "ok",
    counts,
    cost: { tokens: 0 },
    outputs,
    lines,
    data: { run: id },
  };
}

const withoutEvidence = (report: GateReport): GateReport => ({
  ...report,
  results: report.results.map((result) => ({ ...result, evidence: [], measured: {} })),
});

const progressCounts = (checked: readonly Checked[]) => {
  const count = (outcome: Checked["outcome"]) => checked.filter((one) => one.outcome === outcome).length;
  return { accepted: count("success"), failed: count("failure"), "not graded": count("infra_error") };
};
