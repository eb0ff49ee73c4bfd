import type { Evidence } from "../contract/index.ts";
import { defineGate } from "./gate.ts";

const ceilings = { agent: 6 * 3600, verifier: 3600, build: 2 * 3600 };
const shortestAgent = 120;

/** `timeout_ceiling`: every phase has a limit that a run can be planned with, and that an agent can work in. */
export const timeoutCeiling = defineGate({
  id: "timeout_ceiling",
  cost: "static",
  measures: `Agent, verifier and build have time limits: at most ${ceilings.agent}, ${ceilings.verifier} and ${ceilings.build} seconds, at least ${shortestAgent} for the agent.`,
  requiredAt: [],
  async look({ configuration }) {
    const agent = configuration.agent.timeout_sec ?? null;
    const verifier = configuration.verifier.timeout_sec;
    const build = configuration.environment.build_timeout_sec;
    const evidence: Evidence[] = [];
    const remark = (message: string) => evidence.push({ message, file: "task.toml" });
    if (agent === null) remark("[agent].timeout_sec is not set: an agent may run for ever");
    else if (agent < shortestAgent)
      remark(`[agent].timeout_sec is ${agent}: too short for an agent that has to ask a model`);
    else if (agent > ceilings.agent) remark(`[agent].timeout_sec is ${agent}, over ${ceilings.agent}`);
    if (verifier > ceilings.verifier) remark(`[verifier].timeout_sec is ${verifier}, over ${ceilings.verifier}`);
    if (build > ceilings.build) remark(`[environment].build_timeout_sec is ${build}, over ${ceilings.build}`);
    return {
      status: evidence.length === 0 ? "pass" : "warn",
      measured: { agentSeconds: agent, verifierSeconds: verifier, buildSeconds: build },
      evidence,
      remediation:
        "Set [agent].timeout_sec, [verifier].timeout_sec and [environment].build_timeout_sec to what the work takes.",
    };
  },
});
