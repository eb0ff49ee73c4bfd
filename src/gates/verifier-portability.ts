import type { Evidence } from "../contract/index.ts";
import { defineGate, infrastructureFault, skipped } from "./gate.ts";
import { asEvidence } from "./lint/finding.ts";
import { lintTestScript } from "./lint/test-script/index.ts";
import { describeTrial } from "./trial.ts";

/**
 * `verifier_portability`: the whole trial works without network. The gauntlet's trials have none, so an oracle that
 * reaches the full reward proves it; one that doesn't, beside commands that fetch something, points at them.
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
    const measured = { rewardWithoutNetwork: oracle.score };
    if (oracle.score === 1) return { status: "pass", measured };
    const evidence: Evidence[] = ["tests/test.sh", "solution/solve.sh"].flatMap((file) =>
      lintTestScript(context.files.text(file) ?? "", { file })
        .filter(({ rule }) => rule === "network_at_grading")
        .map(asEvidence),
    );
    if (evidence.length === 0)
      return { ...skipped(`the oracle fails for another reason than the network: ${describeTrial(oracle)}`), measured };
    return {
      status: "fail",
      measured,
      evidence,
      remediation: "Install what verifier and solution need in the image, so that both work without network.",
    };
  },
});
