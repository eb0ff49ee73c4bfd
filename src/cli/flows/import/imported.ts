import type { Evidence, RoutesetterError, VerificationMode } from "../../../contract/index.ts";

/** `proven`: the oracle earns the full reward here. `failed`: it doesn't. `not run`: said why. `rejected`: no task. */
export type ImportVerdict = "proven" | "failed" | "not run" | "converted" | "rejected";

export type ImportedNote = { message: string; file: string; line?: number };
export type ImportedFinding = { gate: string; status: string; evidence: Evidence[] };

/** What the import of one folder came to; everything a report says of it. */
export type Imported = {
  source: string;
  name: string;
  verdict: ImportVerdict;
  format: string | null;
  /** Where the task folder was written, relative to the project. */
  written: string | null;
  mode: VerificationMode | null;
  /** The network that the oracle's trial needed: none, the agent's, or the verifier's, too. */
  network: string | null;
  /** What stands in for the base image, or how it was made. */
  base: string | null;
  preparations: string[];
  repairs: ImportedNote[];
  findings: ImportedFinding[];
  /** Why it is not proven, or what is wrong with the folder. */
  reason: ImportedReason | null;
  lineage: Record<string, string>;
  trials: number;
  /** For `runs resume --only infra`. */
  outcome: "success" | "failure" | "task_error" | "infra_error";
};

export type ImportedReason = {
  code: string;
  message: string;
  file?: string;
  line?: number;
  field?: string;
  remedy?: string;
  /** The task's own fault, a difference of the distribution, or the machine's limit. */
  whose: "task" | "distribution" | "machine" | "folder";
};

/** What an error says without its place and remedy, which stand in fields of their own. */
export function bareMessage({ message, where, remedy }: RoutesetterError): string {
  const from =
    where.file !== undefined && message.startsWith(where.file) ? message.indexOf(": ", where.file.length) : -1;
  const told = from === -1 ? message : message.slice(from + 2);
  return remedy !== "" && told.endsWith(` → ${remedy}`) ? told.slice(0, -(remedy.length + 3)) : told;
}
