import type { VerificationMode } from "../contract/index.ts";
import type { Task } from "../tasks/index.ts";
import { oracleAgent } from "./agents/solution.ts";
import { runTrial, type TrialOptions } from "./trial.ts";
import type { TrialResult } from "./trial-result.ts";

export type ModeTrial = { readonly mode: VerificationMode; readonly result: TrialResult };

/**
 * Tries the oracle in each mode from the strongest down, and gives the first in which it earns everything; null when it
 * does in none, or when the machine failed. Sealed is tried only where the task declares what to carry over.
 */
export async function strongestMode(
  task: Task,
  options: Omit<TrialOptions, "task" | "agent" | "mode">,
): Promise<{ mode: VerificationMode | null; trials: ModeTrial[] }> {
  const declares = task.requirements !== null || task.configuration.artifacts.length > 0;
  const modes: VerificationMode[] = declares ? ["sealed", "restored", "live"] : ["restored", "live"];
  const trials: ModeTrial[] = [];
  for (const mode of modes) {
    const result = await runTrial({ ...options, task, mode, agent: oracleAgent(task, options.variables) });
    trials.push({ mode, result });
    if (result.grading.outcome === "success") return { mode, trials };
    if (result.grading.outcome === "infra_error" || result.grading.outcome === "cancelled") break;
  }
  return { mode: null, trials };
}
