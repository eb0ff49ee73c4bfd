import type { Evidence } from "../contract/index.ts";
import { defineGate, infrastructureFault, skipped } from "./gate.ts";
import { briefTrial, describeTrial, type Trial, type TrialPlan } from "./trial.ts";

/**
 * `verifier_determinism`: oracle and nop earn the same again in fresh sandboxes, under another host name, time zone,
 * locale, hash seed and directory order.
 */
export const verifierDeterminism = defineGate({
  id: "verifier_determinism",
  cost: "trial",
  measures:
    "Repeats of oracle and nop, each in fresh sandboxes and other surroundings, give the same reward and checks.",
  async look(task, context) {
    if (context.repeats === 0) return skipped("no repeats were asked for");
    const agents: TrialPlan["agent"][] = task.solution === null ? ["nop"] : ["oracle", "nop"];
    const plain = await Promise.all(agents.map((agent) => context.trial({ agent, repeat: 0 })));
    const unheard = infrastructureFault(plain);
    if (unheard !== null) return unheard;
    if (plain.every(({ score }) => score === null))
      return skipped(`there is no verdict to repeat: ${plain.map(briefTrial).join("; ")}`);
    const repeats = Array.from({ length: context.repeats + 1 }, (_, repeat) => repeat);
    const groups = await Promise.all(
      agents.map((agent) => Promise.all(repeats.map((repeat) => context.trial({ agent, repeat })))),
    );
    const fault = infrastructureFault(groups.flat());
    if (fault !== null) return fault;
    const evidence: Evidence[] = [];
    const rewards: Record<string, (number | null)[]> = {};
    for (const [first, ...others] of groups) {
      if (first === undefined) continue;
      rewards[first.key] = [first, ...others].map(({ score }) => score);
      for (const other of others) evidence.push(...differences(first, other));
    }
    return {
      status: evidence.length === 0 ? "pass" : "fail",
      measured: { repeats: context.repeats, rewards },
      evidence,
      remediation:
        "Find what the result depends on besides the work: order of files or keys, time, host name, locale, ports, races.",
    };
  },
});

function differences(first: Trial, other: Trial): Evidence[] {
  if (first.outcome !== other.outcome || first.score !== other.score)
    return [{ message: `${describeTrial(first)}, but ${describeTrial(other)}` }];
  const found: Evidence[] = [];
  const before = new Map(first.checks.map(({ name, status }) => [name, status]));
  const after = new Map(other.checks.map(({ name, status }) => [name, status]));
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [one, two] = [before.get(name) ?? "not run", after.get(name) ?? "not run"];
    if (one !== two) found.push({ message: `${name}: ${one} in ${first.key}, ${two} in ${other.key}`, rule: name });
  }
  return found;
}
