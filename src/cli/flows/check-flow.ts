import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Flow, GateReport, Json, RunContext } from "../../contract/index.ts";
import { renderRejectedText, renderTaskText, type TaskVerdict, verdictOf } from "../../gates/index.ts";
import type { Store } from "../../store/index.ts";
import { type GateRoom, openGateRoom } from "../gate-room.ts";
import { runFlow } from "../run-flow.ts";
import { shownPath } from "../run-identity.ts";
import type { SandboxOptions } from "../workshop.ts";
import { type CheckFormat, renderCheck } from "./check-format.ts";
import { type Checked, type CheckOutput, checkResult, summaryOf } from "./check-result.ts";
import type { FlowCommand } from "./flow-command.ts";
import { countTasks, type RejectedTask, type StreamedTask, streamTasks } from "./task-stream.ts";

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
const outcomes = { accepted: "success", failed: "failure", "not graded": "infra_error" } as const;

/** `check`: the gauntlet over task folders, one durable step each; reports are blobs until they are rendered. */
export const checkFlow: FlowCommand<CheckInput> = async (project, context, input, start) => {
  const { report } = context;
  const rejected: RejectedTask[] = [];
  const checked: Checked[] = [];
  const printed = new Set<string>();
  /** Printed as it comes; other formats need all reports at the end. */
  const asText = input.format === "text" && input.out === null;
  const colour = process.stdout.isTTY === true && !process.env.NO_COLOR;
  const total = await countTasks(project, input.paths, input.limit);

  const tell = (one: Checked, gateReport: GateReport) => {
    printed.add(one.path);
    const path = shownPath(project, one.path);
    const text = asText ? { text: renderTaskText(path, gateReport, { colour }) } : {};
    report.event({ type: "report", path, report: gateReport as unknown as Json, ...text });
  };
  const tellRejected = (one: RejectedTask) => {
    rejected.push(one);
    if (asText) report.line(renderRejectedText(shownPath(project, one.path), one.reason, { colour }));
  };
  const progress = () => {
    const count = (verdict: TaskVerdict) => checked.filter((one) => one.verdict === verdict).length;
    const counts = { accepted: count("accepted"), failed: count("failed"), "not graded": count("not graded") };
    const all = { ...counts, rejected: rejected.length };
    report.event({ type: "progress", what: "check", done: checked.length + rejected.length, total, counts: all });
  };

  async function checkOne(run: RunContext, store: Store, room: GateRoom, { task, path, shown }: StreamedTask) {
    const gauntlet = async (signal: AbortSignal): Promise<Json> => {
      const { report: found, trials } = await room.pass(task, shown, signal);
      const verdict = verdictOf(found);
      const report = await store.blobs.put(JSON.stringify(found));
      return { path, verdict, outcome: outcomes[verdict], trials, report } satisfies Checked;
    };
    const policy = { queue: "trial", stage: "check" };
    const step = run.step(`check/${task.digest}/${path}`, ({ signal }) => gauntlet(signal), policy);
    const result = (await step) as unknown as Checked;
    const text = (await store.blobs.get(result.report)).toString("utf8");
    checked.push(result);
    run.emit({ type: "task-checked", path, verdict: result.verdict });
    tell(result, JSON.parse(text) as GateReport);
    progress();
    return null;
  }

  const open = async (store: Store) => {
    const concurrency = context.concurrency ?? project.configuration.queues.trial;
    const room = await openGateRoom(project, { ...input, runId: start.id, concurrency });
    const flow: Flow = {
      name: "check",
      version: "1",
      async run(run: RunContext): Promise<Json> {
        const tasks = streamTasks(project, report, input, tellRejected);
        await run.all(tasks, (item) => checkOne(run, store, room, item), {
          key: "check",
          concurrency: concurrency + 1,
          collect: false,
        });
        return { found: checked.length + rejected.length, rejected, checked };
      },
    };
    return { flow, close: () => room.close() };
  };
  const run = await runFlow<CheckOutput>(project, context, open, { ...start, input, seed: input.seed });

  const found = run.output ?? { found: checked.length + rejected.length, rejected, checked };
  const summary = await summaryOf(project, found, asText);
  for (const one of run.output?.checked ?? [])
    if (!printed.has(one.path)) tell(one, (await summaryOf(project, { ...found, checked: [one] })).reports[0]!.report);
  const outputs: string[] = [];
  if (run.output !== null && input.out !== null) {
    const file = shownPath(project, input.out);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, renderCheck(summary, input.format));
    outputs.push(file);
  } else if (run.output !== null && input.format !== "text")
    report.document(input.format, renderCheck(summary, input.format));
  const trials = found.checked.reduce((sum, one) => sum + one.trials, 0);
  return checkResult(project, run, summary, { outputs, trials });
};
