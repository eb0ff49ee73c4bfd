import type { Evidence } from "../contract/index.ts";
import { defineGate, infrastructureFault, skipped } from "./gate.ts";
import { briefTrial, describeTrial } from "./trial.ts";

/** Of the limit, at most: a machine that is half as fast must still do. */
const share = 0.5;

/** `resource_envelope`: the limits fit what the oracle's trial took. The times themselves stand in the timings, not here. */
export const resourceEnvelope = defineGate({
  id: "resource_envelope",
  cost: "trial",
  measures: `Solution and verifier take at most ${share * 100} % of their time limits, and hit no other limit.`,
  appliesTo: (task) => task.solution !== null,
  async look({ configuration }, context) {
    const oracle = await context.trial({ agent: "oracle", repeat: 0 });
    const fault = infrastructureFault([oracle]);
    if (fault !== null) return fault;
    const limits = { agent: configuration.agent.timeout_sec ?? null, verifier: configuration.verifier.timeout_sec };
    const measured = { agentLimitSeconds: limits.agent, verifierLimitSeconds: limits.verifier };
    const limit = oracle.cause !== null && /_limit$|timeout/.test(oracle.cause.code);
    if (limit)
      return {
        status: "fail",
        measured: { ...measured, limitHit: oracle.cause?.code ?? null },
        evidence: [{ message: describeTrial(oracle), file: "task.toml" }],
        remediation: "Raise the limit that was hit in task.toml, or make the work smaller.",
      };
    if (oracle.score === null) return { ...skipped(`nothing was measured: ${briefTrial(oracle)}`), measured };
    const evidence: Evidence[] = (["agent", "verifier"] as const).flatMap((phase) => {
      const allowed = limits[phase];
      if (allowed === null || oracle.seconds[phase] <= allowed * share) return [];
      return [
        {
          message: `the ${phase === "agent" ? "solution" : "verifier"} takes more than ${share * 100} % of its ${allowed} seconds`,
          file: "task.toml",
        },
      ];
    });
    return {
      status: evidence.length === 0 ? "pass" : "warn",
      measured,
      evidence,
      remediation: "Raise [agent].timeout_sec or [verifier].timeout_sec to at least twice what the timings say.",
    };
  },
});
