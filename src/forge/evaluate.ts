import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { GateReport } from "../contract/index.ts";
import type { Candidate, Decision } from "../setter/index.ts";
import { readTask, type Task, writeTask } from "../tasks/index.ts";
import type { Family, TaskFolder } from "./families/index.ts";
import { drawTask, type ProceduralDesign } from "./procedural.ts";

export const folderFiles = (folder: TaskFolder) => [...folder.files].map(([path, file]) => ({ path, ...file }));

/** The report that a published task carries, beside the files that its digest covers. */
export const reportFile = "gates.json";
export const reportText = (report: GateReport): string => `${JSON.stringify(report, null, 2)}\n`;

export type EvaluationServices = {
  readonly families: readonly Family[];
  /** Folder for work in progress; candidates are laid out there and removed again. */
  readonly workDirectory: string;
  readonly gauntlet: (task: Task, path: string, signal: AbortSignal) => Promise<{ report: GateReport; trials: number }>;
  readonly putEvidence: (text: string) => Promise<string>;
  /** The path under which people will know the task, for the commands in the report. */
  readonly publishedPath: (slug: string) => string;
};

/** ground → gate of one candidate: lay it out, make its image, run the gauntlet, keep the report as evidence. */
export async function evaluateCandidate(
  candidate: Candidate<ProceduralDesign>,
  services: EvaluationServices,
  signal: AbortSignal,
): Promise<Omit<Decision, "index" | "key">> {
  const folder = drawTask(candidate.design, services.families);
  const directory = join(services.workDirectory, folder.slug);
  await writeTask(directory, folderFiles(folder), { replace: true });
  try {
    const { report, trials } = await services.gauntlet(
      await readTask(directory),
      services.publishedPath(folder.slug),
      signal,
    );
    const stopped = report.results.filter(
      ({ gate, status }) => report.required.includes(gate) && /fail|error|skip/.test(status),
    );
    const broken = stopped.some(({ status }) => status === "error");
    return {
      accepted: report.accepted,
      stage: report.accepted ? "decide" : "gate",
      reasons: stopped.filter(({ status }) => status !== "skip").map(({ gate }) => gate),
      outcome: report.accepted ? "success" : broken ? "infra_error" : "failure",
      warnings: report.counts.warn,
      trials,
      evidence: await services.putEvidence(reportText(report)),
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
