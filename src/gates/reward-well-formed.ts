import { defineGate, infrastructureFault, skipped } from "./gate.ts";
import { briefTrial, describeTrial, type Trial } from "./trial.ts";

/** `reward_well_formed`: one finite number in 0..1, on the oracle's work and on none. */
export const rewardWellFormed = defineGate({
  id: "reward_well_formed",
  cost: "trial",
  measures: "The verifier writes one finite number in 0..1 for the oracle and for the untouched environment.",
  async look(task, context) {
    const trials: Trial[] = [];
    if (task.solution !== null) trials.push(await context.trial({ agent: "oracle", repeat: 0 }));
    if (trials[0]?.cause?.code === "verifier_timeout") return skipped(`the verifier hangs: ${briefTrial(trials[0])}`);
    trials.push(await context.trial({ agent: "nop", repeat: 0 }));
    const fault = infrastructureFault(trials);
    if (fault !== null) return fault;
    const bad = trials.filter(
      ({ key, cause }) => isMalformed(cause?.code ?? "") || (key === "oracle" && cause?.code === "verifier_crash"),
    );
    const silent = trials.filter((trial) => trial.score === null && !bad.includes(trial));
    const measured = Object.fromEntries(trials.map(({ key, score }) => [key, score]));
    if (bad.length > 0)
      return {
        status: "fail",
        measured,
        evidence: bad.map((trial) => ({ message: describeTrial(trial), rule: trial.cause?.code ?? "" })),
        remediation:
          "Write one of reward.json and reward.txt under /logs/verifier, with a number from 0 to 1, in every way in which the script can end.",
      };
    if (silent.length > 0) return { ...skipped(silent.map(briefTrial).join("; ")), measured };
    return { status: "pass", measured };
  },
});

const isMalformed = (code: string): boolean => code.startsWith("reward_") && code !== "reward_forged";
