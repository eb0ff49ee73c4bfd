import type { Evidence } from "../contract/index.ts";
import { defineGate, infrastructureFault, skipped } from "./gate.ts";
import { describeTrial, stableText } from "./trial.ts";

/** `oracle_max`: the task's own solution earns the full reward. */
export const oracleMax = defineGate({
  id: "oracle_max",
  cost: "trial",
  measures: "solution/solve.sh, run in a fresh sandbox, earns reward 1.",
  async look(task, context) {
    if (task.solution === null) return skipped("there is no solution/solve.sh to run");
    const oracle = await context.trial({ agent: "oracle", repeat: 0 });
    const fault = infrastructureFault([oracle]);
    if (fault !== null) return fault;
    const failed = oracle.checks.filter(({ status }) => status === "failed" || status === "error");
    const evidence: Evidence[] = failed.map(({ name, message }) => ({
      message: message === undefined ? `${name} fails` : `${name}: ${stableText(message)}`,
      rule: name,
    }));
    const passed = oracle.score === 1;
    if (!passed) evidence.unshift({ message: describeTrial(oracle) });
    if (oracle.scriptExit !== null && oracle.scriptExit !== 0)
      evidence.push({ message: `solve.sh ended with exit status ${oracle.scriptExit}`, file: "solution/solve.sh" });
    if (passed && oracle.surroundings.mode === "live")
      evidence.push({
        message:
          "the full reward is reached in `live` mode only: the verifier runs where the agent had worked, which is weaker",
      });
    for (const attack of oracle.attacks) evidence.push({ message: attack });
    return {
      status: passed ? (evidence.length > 0 ? "warn" : "pass") : "fail",
      measured: {
        reward: oracle.score,
        outcome: oracle.outcome,
        mode: oracle.surroundings.mode,
        network: oracle.surroundings.network,
        checks: oracle.checks.length,
        failedChecks: failed.map(({ name }) => name),
      },
      evidence,
      remediation: passed
        ? "Let the solution end with status 0, and leave its work outside system directories."
        : "Repair the solution, or the check that refuses a right one; the evidence names the checks.",
    };
  },
});
