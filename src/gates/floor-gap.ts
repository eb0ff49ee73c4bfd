import type { Evidence } from "../contract/index.ts";
import { defineGate, infrastructureFault, skipped } from "./gate.ts";
import { briefTrial, describeTrial } from "./trial.ts";

/**
 * `floor_gap`: doing nothing earns nothing. The checks that hold before any action are named: they pay for no work, and
 * belong as factors to a check that asks for work, or into no score.
 */
export const floorGap = defineGate({
  id: "floor_gap",
  cost: "trial",
  measures: "An agent that does nothing earns reward 0; the checks that already hold are named.",
  async look(task, context) {
    const oracle = task.solution === null ? null : await context.trial({ agent: "oracle", repeat: 0 });
    if (oracle?.cause?.code === "verifier_timeout")
      return skipped(`the verifier hangs already on the oracle's work: ${briefTrial(oracle)}`);
    const nop = await context.trial({ agent: "nop", repeat: 0 });
    const fault = infrastructureFault([nop]);
    if (fault !== null) return fault;
    const holding = nop.checks.filter(({ status }) => status === "passed");
    const kinds = new Map(task.requirements?.requirements.map(({ id, kind }) => [id, kind]));
    const unearned = holding.filter(({ name, requirement }) => kinds.get(requirement ?? name) === "positive");
    const measured = {
      reward: nop.score,
      outcome: nop.outcome,
      gap: nop.score === null ? null : 1 - nop.score,
      holdBeforeAnyAction: holding.map(({ name }) => name),
    };
    const evidence: Evidence[] = holding.map(({ name }) => ({
      message: `${name} holds before any action`,
      rule: name,
    }));
    if (nop.score === null)
      return {
        status: "fail",
        measured,
        evidence: [
          { message: `the verifier gives no verdict on the untouched environment: ${describeTrial(nop)}` },
          ...evidence,
        ],
        remediation:
          "Let the verifier write reward 0 when nothing was done; a verifier that breaks down is no verdict.",
      };
    if (nop.score > 0)
      return {
        status: "fail",
        measured,
        evidence: [{ message: `doing nothing earns reward ${nop.score}` }, ...evidence],
        remediation:
          "Give credit for work only: let a check that holds in the untouched environment multiply the score of one that doesn't.",
      };
    if (unearned.length > 0)
      return {
        status: "fail",
        measured,
        evidence: unearned.map(({ name }) => ({
          message: `${name} asks for work, but holds before any action`,
          rule: name,
        })),
        remediation: "Mark these requirements as invariants, or change the environment so that they need work.",
      };
    const brokeDown =
      nop.cause !== null &&
      nop.cause.code !== "wrong_result" &&
      nop.checks.length === 0 &&
      nop.cause.code.startsWith("verifier_");
    if (brokeDown)
      return {
        status: "warn",
        measured,
        evidence: [{ message: `the verifier breaks down on the untouched environment: ${nop.cause?.code}` }],
        remediation: "Let the verifier write reward 0 when nothing was done, instead of ending without a reward.",
      };
    return { status: "pass", measured, evidence };
  },
});
