import type { Evidence, FileChange } from "../contract/index.ts";
import type { Task } from "../tasks/index.ts";
import { defineGate, infrastructureFault, skipped } from "./gate.ts";
import { briefTrial } from "./trial.ts";
import { workOf } from "./work.ts";

const within = (path: string, parent: string): boolean => {
  const base = parent.replace(/\/+$/, "");
  return path === base || path.startsWith(`${base}/`);
};
const artefactsOf = (task: Task): string[] => [
  ...(task.requirements?.artefacts ?? []),
  ...task.configuration.artifacts.map(({ source }) => source),
];

/**
 * `inputs_untouched`: the solution leaves its inputs as they are, or the task says that it changes them. A task without
 * requirements names no inputs: there the image's files that the solution changes are reported.
 */
export const inputsUntouched = defineGate({
  id: "inputs_untouched",
  cost: "trial",
  measures: "The solution changes none of the sources that the requirements name, unless they are artefacts too.",
  appliesTo: (task) => task.solution !== null,
  async look(task, context) {
    const oracle = await context.trial({ agent: "oracle", repeat: 0 });
    const fault = infrastructureFault([oracle]);
    if (fault !== null) return fault;
    if (oracle.changes === null) return skipped(`what the solution changed is not known: ${briefTrial(oracle)}`);
    const artefacts = artefactsOf(task);
    const undeclared = workOf(oracle.changes).filter(
      ({ change, path, entry }) =>
        change !== "added" &&
        !(change === "modified" && entry?.type === "directory") &&
        !artefacts.some((artefact) => within(path, artefact)),
    );
    if (task.requirements === null) {
      const shown = undeclared.slice(0, 20);
      return {
        status: undeclared.length === 0 ? "pass" : "warn",
        measured: { changed: undeclared.length },
        evidence: [
          ...shown.map(asSeen),
          ...(undeclared.length > shown.length ? [{ message: `and ${undeclared.length - shown.length} more` }] : []),
        ],
        remediation:
          "Declare what the work is meant to change ([metadata] or artifacts in task.toml), and check that the rest is unchanged.",
      };
    }
    const sources = [...new Set(task.requirements.requirements.flatMap((requirement) => requirement.sources))];
    const touched = undeclared.filter(({ path }) => sources.some((source) => within(path, source)));
    return {
      status: touched.length === 0 ? "pass" : "fail",
      measured: { sources: sources.length, touched: touched.map(({ path }) => path) },
      evidence: touched.map(asSeen),
      remediation: "Let the solution write elsewhere, or declare the file as an artefact that the task changes.",
    };
  },
});
const asSeen = ({ change, path }: FileChange): Evidence => ({ message: `${path} is ${change}` });
