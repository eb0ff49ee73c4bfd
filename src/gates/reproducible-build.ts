import { defineGate } from "./gate.ts";

/**
 * `reproducible_build`: the image builds, and its identity is that of the build context and its base. A base image that
 * was replaced is said so. What the machine lacks is an `error`, found by the gauntlet.
 */
export const reproducibleBuild = defineGate({
  id: "reproducible_build",
  cost: "build",
  measures: "The image builds within its time limit; the report names its digest and where its base came from.",
  async look(_task, context) {
    const { digest, provenance } = await context.image();
    const replaced = provenance.how === "substituted";
    return {
      status: replaced ? "warn" : "pass",
      measured: { image: digest, base: provenance.base, how: provenance.how },
      evidence: provenance.note === undefined ? [] : [{ message: provenance.note }],
      remediation: "Build on the base that the Dockerfile names before you trust a result that depends on it.",
    };
  },
});
