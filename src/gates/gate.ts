import {
  type Evidence,
  type Gate,
  type GateResult,
  type GateStatus,
  type Image,
  type Json,
  shellWord,
} from "../contract/index.ts";
import type { Task } from "../tasks/index.ts";
import type { TaskFiles } from "./task-files.ts";
import { describeTrial, isInfrastructure, type Trial, type TrialPlan } from "./trial.ts";

/** What gates may ask for. Everything is computed at most once and shared between them. */
export type GateContext = {
  /** The task's path as the user gave it, for `rerun`. */
  readonly path: string;
  readonly level: string;
  readonly seed: number;
  /** How often oracle and nop are repeated in other surroundings. */
  readonly repeats: number;
  readonly files: TaskFiles;
  image(): Promise<Image>;
  trial(plan: TrialPlan): Promise<Trial>;
};
export type TaskGate = Gate<Task, GateContext> & {
  /** What it measures, in one sentence. */
  readonly measures: string;
  /** Levels at which a task must pass it to be accepted. */
  readonly requiredAt: readonly string[];
};

export type GateFinding = {
  status: GateStatus;
  measured?: Record<string, Json>;
  evidence?: readonly Evidence[];
  /** What to do; empty when there is nothing to do. */
  remediation?: string;
};

/** The command that repeats one gate. */
export const rerunCommand = (gate: string, context: Pick<GateContext, "path" | "seed">): string =>
  `routesetter check ${shellWord(context.path)} --gate ${gate} --seed ${context.seed}`;

export const gateResult = (
  gate: string,
  context: Pick<GateContext, "path" | "seed">,
  { status, measured = {}, evidence = [], remediation = "" }: GateFinding,
): GateResult => ({
  gate,
  status,
  measured,
  evidence: [...evidence],
  remediation: status === "pass" ? "" : remediation,
  rerun: rerunCommand(gate, context),
});

/** A gate from its parts; `look` decides, the rest is the same for all. */
export function defineGate(
  parts: Omit<TaskGate, "check" | "appliesTo" | "requiredAt"> & {
    appliesTo?: (task: Task) => boolean;
    requiredAt?: readonly string[];
    look(task: Task, context: GateContext): Promise<GateFinding>;
  },
): TaskGate {
  const { look, appliesTo = () => true, requiredAt = ["core"], ...rest } = parts;
  return {
    ...rest,
    appliesTo,
    requiredAt,
    check: async (task, context) => gateResult(parts.id, context, await look(task, context)),
  };
}

/** `error` when one of the trials met a fault of the infrastructure: that says nothing of the task. */
export function infrastructureFault(trials: readonly Trial[]): GateFinding | null {
  const faults = trials.filter(isInfrastructure);
  if (faults.length === 0) return null;
  return {
    status: "error",
    evidence: faults.map((trial) => ({ message: describeTrial(trial) })),
    remediation: "This is a fault of the machine, not of the task: run it again when the cause is gone.",
  };
}

export const skipped = (reason: string): GateFinding => ({ status: "skip", evidence: [{ message: reason }] });
