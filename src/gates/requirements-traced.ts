import type { Evidence } from "../contract/index.ts";
import { defineGate, infrastructureFault, skipped } from "./gate.ts";
import { briefTrial } from "./trial.ts";

/** `requirements_traced`: no requirement without a check, no check without a requirement, each artefact told and carried over. */
export const requirementsTraced = defineGate({
  id: "requirements_traced",
  cost: "trial",
  measures: "Every requirement is checked and every check is a requirement; the instruction names each artefact.",
  appliesTo: (task) => task.requirements !== null && task.solution !== null,
  async look(task, context) {
    const oracle = await context.trial({ agent: "oracle", repeat: 0 });
    const fault = infrastructureFault([oracle]);
    if (fault !== null) return fault;
    if (oracle.score === null) return skipped(`the verifier gave no verdict: ${briefTrial(oracle)}`);
    const { requirements = [], artefacts = [] } = task.requirements ?? {};
    const required = new Set(requirements.map(({ id }) => id));
    const checked = new Set(oracle.checks.map(({ name, requirement }) => requirement ?? name));
    const untested = [...required].filter((id) => !checked.has(id));
    const unrequired = [...checked].filter((id) => !required.has(id)).sort();
    const problems: Evidence[] = [
      ...untested.map((id) => ({ message: `${id} has no check`, rule: id })),
      ...unrequired.map((name) => ({ message: `the check ${name} belongs to no requirement`, rule: name })),
    ];
    const remarks: Evidence[] = [];
    for (const { id, kind, artefact } of requirements) {
      const carried = artefacts.some(
        (path) => artefact === path || artefact.startsWith(`${path.replace(/\/+$/, "")}/`),
      );
      if (!carried && kind === "positive")
        problems.push({
          message: `${id} is about ${artefact}, which is not among the artefacts that reach the verifier`,
          file: "requirements.json",
          rule: id,
        });
      if (kind === "positive" && !mentions(task.instruction, artefact))
        remarks.push({
          message: `${id} asks for ${artefact}, which the instruction doesn't name`,
          file: "instruction.md",
          rule: id,
        });
    }
    return {
      status: problems.length > 0 ? "fail" : remarks.length > 0 ? "warn" : "pass",
      measured: { requirements: required.size, checks: checked.size, untested, unrequired },
      evidence: [...problems, ...remarks],
      remediation: "Write the check or the requirement that is missing, and tell the agent what is asked.",
    };
  },
});

/** By its path, or by its name when that is told apart from the folder. */
const mentions = (instruction: string, path: string): boolean =>
  instruction.includes(path) ||
  instruction.includes(path.replace(/^\/app\//, "")) ||
  instruction.includes(path.split("/").at(-1) ?? path);
