// One foreign folder: converted, laid out, looked at by the static gates, proven by its oracle, and written.
import { basename, join, relative } from "node:path";
import { type GateReport, RoutesetterError as Known, type RoutesetterError } from "../../../contract/index.ts";
import { fetchedTools, passGauntlet } from "../../../gates/index.ts";
import {
  annotateConfiguration,
  type Conversion,
  convertForeignTask,
  type ForeignCandidate,
  readTask,
  requirementsOf,
  type Task,
  type TaskFolderFile,
  writeTask,
} from "../../../tasks/index.ts";
import { bareMessage, type Imported, type ImportedReason, type ImportVerdict } from "./imported.ts";
import { type Preparation, type PreparationOptions, prepare } from "./preparation.ts";
import { type Proof, type ProofOptions, proveTask } from "./prove-task.ts";

export type ImportTaskOptions = {
  /** The name of its folder among those that are written. */
  readonly name: string;
  /** As people know it. */
  readonly shown: string;
  /** Where it came from: a path relative to the project, or an address and a commit. */
  readonly origin: Readonly<Record<string, string>>;
  readonly out: string;
  readonly scratch: string;
  /** null: only read. */
  readonly proof: ProofOptions | null;
  readonly preparation: PreparationOptions;
  readonly seed: number;
};

const nothing = { mode: null, network: null, base: null, preparations: [], trials: 0, written: null } as const;

/** Never throws for what a folder holds: that is a result. */
export async function importTask(candidate: ForeignCandidate, options: ImportTaskOptions): Promise<Imported> {
  const { name, shown, scratch } = options;
  const staging = join(scratch, name);
  const place = candidate.path;
  let conversion: Conversion;
  let task: Task;
  try {
    conversion = await convertForeignTask(candidate);
    const record = { verification: null, isOffline: false, variables: {}, lineage: lineageOf(conversion, options) };
    await writeTask(staging, annotated(conversion.files, record), { replace: true });
    task = await readTask(staging);
  } catch (error) {
    if (!Known.isInstance(error)) throw error;
    const format = "format" in candidate ? candidate.format : null;
    const reason = { ...placed(error, [staging, place], shown), whose: "folder" } as const;
    const rejected = { source: shown, name, verdict: "rejected", format, reason, outcome: "task_error" } as const;
    return { ...nothing, ...rejected, preparations: [], repairs: [], findings: [], lineage: {} };
  }

  const findings = findingsOf(await staticReport(task, options));
  const lineage = lineageOf(conversion, options);
  const common = {
    ...nothing,
    source: shown,
    name,
    format: conversion.source.format,
    repairs: [
      ...conversion.repairs,
      ...task.warnings.map(({ message, file, line }) => ({ message, file, ...(line ? { line } : {}) })),
    ],
    preparations: [] as string[],
    findings,
  };
  const finish = async (
    verdict: ImportVerdict,
    found: Partial<Imported>,
    prepared: Preparation | null = null,
  ): Promise<Imported> => {
    const oracle = verdict === "proven" ? "passed" : verdict === "failed" ? "failed" : "not run";
    const record = {
      verification: found.mode ?? null,
      isOffline: prepared !== null,
      variables: prepared?.variables ?? {},
      lineage: { ...lineage, oracle },
    };
    const folder = join(options.out, name);
    await writeTask(folder, annotated(prepared?.files ?? conversion.files, record), { replace: true });
    return { ...common, outcome: "success", reason: null, ...found, verdict, lineage: record.lineage, written: folder };
  };

  const unsupported = (await requirementsOf(task)).find(({ supported }) => !supported);
  const obstacle =
    conversion.cannotRun ?? (unsupported && `${unsupported.field}: ${unsupported.detail} — ${unsupported.reason}`);
  if (obstacle) return finish("not run", { reason: cannot("unsupported", obstacle), outcome: "task_error" });
  if (options.proof === null) return finish("converted", {});
  if (task.solution === null)
    return finish("not run", {
      reason: cannot("solution_missing", "there is no solution, so nothing shows that it can be solved"),
      outcome: "task_error",
    });
  const { proof, prepared, notes } = await proveWithTools(task, conversion, options.proof, options);
  const { trial, base, reason, trials } = proof;
  const shared = { base, trials, network: trial?.surroundings.network ?? null, preparations: notes };
  if (reason === null) return finish("proven", { ...shared, mode: trial!.surroundings.mode }, prepared);
  if (reason.whose === "machine") return finish("not run", { ...shared, reason, outcome: "infra_error" });
  return finish("failed", { ...shared, reason, outcome: "failure" }, prepared);
}

/** With what the verifier would fetch in the image, when that can be made; else as it is, and told. */
async function proveWithTools(
  task: Task,
  conversion: Conversion,
  proof: ProofOptions,
  { preparation, scratch, name }: ImportTaskOptions,
): Promise<{ proof: Proof; prepared: Preparation | null; notes: string[] }> {
  const source = conversion.files.find(({ path }) => path === "tests/test.sh");
  const tools = source === undefined ? [] : fetchedTools(Buffer.from(source.content as Uint8Array).toString("utf8"));
  if (tools.length === 0) return { proof: await proveTask(task, proof, false), prepared: null, notes: [] };
  const prepared = prepare(conversion.files, tools, preparation);
  const notes = tools.map(({ line, what }) => `tests/test.sh:${line} ${what} while grading`);
  if (typeof prepared === "string") {
    notes.push(`not prepared: ${prepared}`);
    return { proof: await proveTask(task, proof, true), prepared: null, notes };
  }
  const record = { verification: null, isOffline: true, variables: prepared.variables, lineage: {} };
  const staging = join(scratch, `${name}.prepared`);
  await writeTask(staging, annotated(prepared.files, record), { replace: true });
  const found = await proveTask(await readTask(staging), proof, true);
  if (found.trial !== null) {
    const done = prepared.done.map((what) => `in the image now: ${what}`);
    return {
      proof: found,
      prepared,
      notes: [...notes, ...done, ...prepared.changes.map((what) => `tests/test.sh, ${what}`)],
    };
  }
  notes.push(`not prepared: ${found.reason?.message.slice(0, 400)}`);
  const asIs = await proveTask(task, proof, true);
  return { proof: { ...asIs, trials: asIs.trials + found.trials }, prepared: null, notes };
}

const cannot = (code: string, message: string): ImportedReason => ({ code, message, whose: "machine" });

const annotated = (files: readonly TaskFolderFile[], record: Parameters<typeof annotateConfiguration>[1]) =>
  files.map((file) =>
    file.path === "task.toml"
      ? { ...file, content: annotateConfiguration(Buffer.from(file.content as Uint8Array).toString("utf8"), record) }
      : file,
  );

const lineageOf = ({ source }: Conversion, { origin }: ImportTaskOptions): Record<string, string> => ({
  format: source.format,
  ...origin,
  digest: source.digest,
  licence: source.licence ?? "none found",
});

async function staticReport(task: Task, { seed, shown }: ImportTaskOptions): Promise<GateReport> {
  const never = () => Promise.reject(new Error("static gates run nothing"));
  const source = { image: never, trial: never };
  const settings = { level: "static", seed, repeats: 1, path: shown, now: () => 0 } as const;
  return (await passGauntlet(task, source, settings)).report;
}

const findingsOf = ({ results }: GateReport) =>
  results
    .filter(({ status }) => status === "fail" || status === "warn" || status === "error")
    .map(({ gate, status, evidence }) => ({ gate, status, evidence: [...evidence].slice(0, 20) }));

/** An error's place as the user knows it, relative to the folder that was given. */
function placed(error: RoutesetterError, folders: readonly string[], shown: string): Omit<ImportedReason, "whose"> {
  const { file, line, field } = error.where;
  const folder = folders.find((one) => file === one || file?.startsWith(`${one}/`));
  const own = file === undefined || folder === undefined ? file : relative(folder, file) || basename(folder);
  const strip = (text: string) => folders.reduce((rest, one) => rest.replaceAll(one, shown), text);
  return {
    code: error.code,
    message: strip(bareMessage(error)),
    ...(own === undefined ? {} : { file: own }),
    ...(line === undefined ? {} : { line }),
    ...(field === undefined ? {} : { field }),
    remedy: error.remedy,
  };
}
