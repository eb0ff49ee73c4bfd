import {
  ConfigError,
  type GateReport,
  type GateResult,
  type Image,
  RoutesetterError,
  SandboxError,
  TaskFormatError,
} from "../contract/index.ts";
import type { Task } from "../tasks/index.ts";
import { type GateContext, gateResult, skipped, type TaskGate } from "./gate.ts";
import { type GateLevel, gateLevels, taskGates } from "./registry.ts";
import { readTaskFiles } from "./task-files.ts";
import { type Trial, type TrialPlan, trialKey } from "./trial.ts";

export type GauntletEvent =
  | { readonly type: "gate"; readonly task: string; readonly gate: string; readonly status: GateResult["status"] }
  | {
      readonly type: "trial";
      readonly task: string;
      readonly trial: string;
      readonly outcome: string;
      readonly score: number | null;
    };

export type GauntletOptions = {
  readonly level: GateLevel;
  readonly seed: number;
  readonly repeats: number;
  /** The task's path as the user gave it; default: its folder. */
  readonly path?: string;
  /** Only these gates; the report says so. */
  readonly gates?: readonly string[];
  /** Milliseconds, for the timings. */
  readonly now: () => number;
  readonly onEvent?: (event: GauntletEvent) => void;
};

/** Where trials and images come from: the sandboxes, or a record of them. Asked at most once for each. */
export type TrialSource = {
  image(): Promise<Image>;
  /** `oracle` is the plain oracle's trial, by which faults of the others are attributed; null for itself. */
  trial(plan: TrialPlan, oracle: Trial | null): Promise<Trial>;
};

export type GateTimings = {
  readonly gates: Record<string, number>;
  readonly trials: Record<string, { agentSeconds: number; verifierSeconds: number; milliseconds: number }>;
  imageMilliseconds: number | null;
  milliseconds: number;
};

/** Faults of the image's own recipe; every other fault of a build is one of the machine. */
const recipeFaults = new Set([
  "image_build_failed",
  "image_build_timeout",
  "dockerfile_invalid",
  "dockerfile_unsupported",
]);

/**
 * Runs a task through the gates of a level, cheapest first. When a static gate or the build fails, no trial is paid
 * for: the gates behind it say `skip`. Two runs with the same inputs and seed give the same report, byte for byte;
 * times stand in `timings`. Errors: ConfigError (`unknown_gate`, `unknown_level`).
 */
export async function passGauntlet(
  task: Task,
  source: TrialSource,
  options: GauntletOptions,
): Promise<{ report: GateReport; timings: GateTimings }> {
  const gates = selectGates(options);
  const started = options.now();
  const timings: GateTimings = { gates: {}, trials: {}, imageMilliseconds: null, milliseconds: 0 };
  const context = gateContext(task, source, options, timings);
  const results = new Map<string, GateResult>();

  const run = async (gate: TaskGate, blocked: string | null): Promise<void> => {
    const from = options.now();
    const result = !gate.appliesTo(task)
      ? gateResult(gate.id, context, skipped("does not apply to this task"))
      : blocked !== null
        ? gateResult(gate.id, context, skipped(blocked))
        : await gate.check(task, context).catch((error: unknown) => brokenDown(gate, context, error));
    timings.gates[gate.id] = options.now() - from;
    results.set(gate.id, result);
    options.onEvent?.({ type: "gate", task: task.id, gate: gate.id, status: result.status });
  };
  const failedOf = (cost: TaskGate["cost"]) =>
    gates
      .filter((gate) => gate.cost === cost && /fail|error/.test(results.get(gate.id)?.status ?? ""))
      .map(({ id }) => id);

  for (const gate of gates.filter(({ cost }) => cost === "static")) await run(gate, null);
  let blocked = reasonOf(failedOf("static"));
  for (const gate of gates.filter(({ cost }) => cost === "build")) await run(gate, blocked);
  blocked ??= reasonOf(failedOf("build"));
  await Promise.all(gates.filter(({ cost }) => cost === "trial").map((gate) => run(gate, blocked)));

  timings.milliseconds = options.now() - started;
  const ordered = gates.map(({ id }) => results.get(id) as GateResult);
  const required = gates
    .filter((gate) => gate.requiredAt.includes(options.level) && gate.appliesTo(task))
    .map(({ id }) => id);
  return { report: reportOf({ id: task.id, digest: task.digest }, ordered, required, options), timings };
}

function selectGates({ level, gates: only }: GauntletOptions): readonly TaskGate[] {
  if (!gateLevels.includes(level))
    throw new ConfigError({
      code: "unknown_level",
      message: `there is no level "${level}"`,
      remedy: `take one of ${gateLevels.join(", ")}`,
    });
  for (const id of only ?? [])
    if (!taskGates.some((gate) => gate.id === id))
      throw new ConfigError({
        code: "unknown_gate",
        message: `there is no gate "${id}"`,
        remedy: `take one of ${taskGates.map((gate) => gate.id).join(", ")}`,
      });
  return taskGates.filter(
    (gate) => (level !== "static" || gate.cost === "static") && (only === undefined || only.includes(gate.id)),
  );
}

const reasonOf = (failed: readonly string[]): string | null =>
  failed.length === 0 ? null : `not run: ${failed.join(", ")} must pass first`;

/** A gate that threw says nothing of the task, unless the image's recipe is at fault. */
function brokenDown(gate: TaskGate, context: GateContext, error: unknown): GateResult {
  const known = RoutesetterError.isInstance(error);
  const message = error instanceof Error ? error.message : String(error);
  if (SandboxError.isInstance(error) && recipeFaults.has(error.code))
    return gateResult(gate.id, context, {
      status: "fail",
      evidence: [{ message, file: "environment/Dockerfile", rule: error.code }],
      remediation: error.remedy || "Repair the Dockerfile so that it builds.",
    });
  if (TaskFormatError.isInstance(error) && error.code !== "variable_unset")
    return gateResult(gate.id, context, {
      status: "fail",
      evidence: [{ message, file: "task.toml", rule: error.code }],
      remediation: error.remedy,
    });
  return gateResult(gate.id, context, {
    status: "error",
    evidence: [{ message, ...(known ? { rule: error.code } : {}) }],
    remediation:
      known && error.remedy ? error.remedy : "This is no verdict on the task: run it again when the cause is gone.",
  });
}

function gateContext(task: Task, source: TrialSource, options: GauntletOptions, timings: GateTimings): GateContext {
  const { level, seed, repeats, now, onEvent } = options;
  let image: Promise<Image> | undefined;
  const trials = new Map<string, Promise<Trial>>();
  const resolveImage = async (): Promise<Image> => {
    const from = now();
    try {
      return await source.image();
    } finally {
      timings.imageMilliseconds = now() - from;
    }
  };
  const runTrial = async (plan: TrialPlan, oracle: Promise<Trial> | null): Promise<Trial> => {
    const reference = await oracle;
    const from = now();
    const trial = await source.trial(plan, reference);
    timings.trials[trial.key] = {
      agentSeconds: trial.seconds.agent,
      verifierSeconds: trial.seconds.verifier,
      milliseconds: now() - from,
    };
    onEvent?.({ type: "trial", task: task.id, trial: trial.key, outcome: trial.outcome, score: trial.score });
    return trial;
  };
  const context: GateContext = {
    path: options.path ?? task.directory,
    level,
    seed,
    repeats,
    files: readTaskFiles(task.directory),
    image: () => (image ??= resolveImage()),
    trial(plan) {
      const key = trialKey(plan);
      const known = trials.get(key);
      if (known !== undefined) return known;
      const isReference = plan.agent === "oracle" && plan.repeat === 0;
      const started = runTrial(
        plan,
        isReference || task.solution === null ? null : context.trial({ agent: "oracle", repeat: 0 }),
      );
      trials.set(key, started);
      return started;
    },
  };
  return context;
}

/** The report's frame around results that are there. */
export function reportOf(
  subject: GateReport["subject"],
  results: readonly GateResult[],
  required: readonly string[],
  options: Pick<GauntletOptions, "level" | "seed" | "gates">,
): GateReport {
  const counts = { pass: 0, warn: 0, fail: 0, skip: 0, error: 0 };
  for (const { status } of results) counts[status] += 1;
  const good = new Set(results.filter(({ status }) => status === "pass" || status === "warn").map(({ gate }) => gate));
  const notes =
    options.gates === undefined
      ? []
      : [`Only ${options.gates.join(", ")} ran: this is no acceptance by all gates of the level.`];
  return {
    version: 1,
    subject,
    level: options.level,
    seed: options.seed,
    accepted: required.length > 0 && required.every((id) => good.has(id)),
    counts,
    required: [...required],
    results: [...results],
    notes,
  };
}
