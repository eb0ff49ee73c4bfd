import type { Evidence } from "../contract/index.ts";
import { defineGate, infrastructureFault, skipped } from "./gate.ts";
import { asEvidence } from "./lint/finding.ts";
import { lintTestScript } from "./lint/test-script/index.ts";
import { fetchingScripts } from "./task-files.ts";
import { briefTrial } from "./trial.ts";

/**
 * `verifier_portability`: the whole trial works without network, which the oracle's trial is given only when it fails
 * without. An oracle that fails in any case, beside commands that fetch something, points at them.
 */
export const verifierPortability = defineGate({
  id: "verifier_portability",
  cost: "trial",
  measures: "Solution and verifier reach the full reward with the network cut.",
  appliesTo: (task) => task.solution !== null,
  async look(_task, context) {
    const oracle = await context.trial({ agent: "oracle", repeat: 0 });
    const fault = infrastructureFault([oracle]);
    if (fault !== null) return fault;
    const { network } = oracle.surroundings;
    const measured = { reward: oracle.score, network };
    if (oracle.score === 1 && network === "none") return { status: "pass", measured };
    if (oracle.score === 1 && network === "agent")
      return {
        status: "warn",
        measured,
        evidence: [{ message: "the verifier works without network, the solution doesn't" }],
        remediation: "Put what the solution fetches into the image, so that the task still works when it is gone.",
      };
    const evidence: Evidence[] = fetchingScripts(context.files).flatMap((file) =>
      lintTestScript(context.files.text(file) ?? "", { file })
        .filter(({ rule }) => rule === "network_at_grading")
        .map(asEvidence),
    );
    if (oracle.score === 1)
      evidence.unshift({ message: "the full reward is reached only when the verifier has the network" });
    if (evidence.length === 0)
      return { ...skipped(`the oracle fails for another reason than the network: ${briefTrial(oracle)}`), measured };
    return {
      status: "fail",
      measured,
      evidence,
      remediation: "Install what verifier and solution need in the image, so that both work without network.",
    };
  },
});
