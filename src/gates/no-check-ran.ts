import { defineGate, infrastructureFault } from "./gate.ts";
import { briefTrial, describeTrial } from "./trial.ts";

/** `no_check_ran`: a verdict rests on checks that were executed. All skipped or none collected is no verdict. */
export const noCheckRan = defineGate({
  id: "no_check_ran",
  cost: "trial",
  measures: "The verifier executed checks on the oracle's result: none skipped away, none lost in collection.",
  appliesTo: (task) => task.solution !== null,
  async look(_task, context) {
    const oracle = await context.trial({ agent: "oracle", repeat: 0 });
    const fault = infrastructureFault([oracle]);
    if (fault !== null) return fault;
    const executed = oracle.checks.filter(({ status }) => status === "passed" || status === "failed");
    const missing = oracle.checks.filter(({ status }) => status === "skipped" || status === "error");
    const measured = {
      executed: executed.length,
      skipped: missing.filter(({ status }) => status === "skipped").length,
      names: executed.map(({ name }) => name),
    };
    const remediation =
      "Install what the tests import, and check paths and selections (-k, markers): a test that isn't run proves nothing.";
    if (oracle.cause?.code === "no_check_ran" || (oracle.checks.length > 0 && executed.length === 0))
      return {
        status: "fail",
        measured,
        evidence: [
          { message: `no check ran: ${oracle.cause === null ? "all were skipped" : describeTrial(oracle)}` },
          ...missing.map(({ name, status }) => ({ message: `${name}: ${status}`, rule: name })),
        ],
        remediation,
      };
    if (oracle.score === null)
      return {
        status: "skip",
        measured,
        evidence: [{ message: `the verifier gave no verdict: ${briefTrial(oracle)}` }],
      };
    if (oracle.checks.length === 0)
      return {
        status: "warn",
        measured,
        evidence: [{ message: "the verifier reports a reward but none of its checks: how many ran can't be told" }],
        remediation: "Write the checks to /logs/verifier/ctrf.json, or as keys of reward.json.",
      };
    return {
      status: missing.length > 0 ? "warn" : "pass",
      measured,
      evidence: missing.map(({ name, status }) => ({ message: `${name}: ${status}`, rule: name })),
      remediation,
    };
  },
});
