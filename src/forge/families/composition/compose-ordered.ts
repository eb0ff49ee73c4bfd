import type { DraftStep, TaskDraft } from "../family.ts";
import { type Composition, compose } from "./compose.ts";

/** A step from its questions; what arrives with it lies below `untouched`, as the verifier has it too. */
export type StepComposition = Pick<Composition, "random" | "instruction" | "prelude" | "questions" | "untouched"> &
  Pick<DraftStep, "name" | "arrives" | "setup">;

/**
 * An ordered draft from what the whole task is and at least one step: the first step has the task's files and what
 * arrives with it; ids count on.
 */
export function composeOrdered(
  task: Pick<Composition, "title" | "difficulty" | "tags" | "files">,
  steps: readonly StepComposition[],
): TaskDraft {
  const [first, ...later] = steps as [StepComposition, ...StepComposition[]];
  const shapes = new Set(steps.flatMap(({ questions }) => questions.map(({ shape }) => shape)));
  const tags = [...task.tags, "ordered", ...shapes];
  const start = compose({ ...task, ...first, tags, files: [...task.files, ...first.arrives] });
  let numbersFrom = start.requirements.length + 1;
  const others = later.map((step): DraftStep => {
    const { requirements, artefacts, executes, solution, partials, checks, expected } = compose({
      ...task,
      ...step,
      tags,
      files: [],
      numbersFrom,
    });
    numbersFrom += requirements.length;
    return {
      name: step.name,
      instruction: step.instruction,
      arrives: step.arrives,
      ...(step.setup === undefined ? {} : { setup: step.setup }),
      ...{ requirements, artefacts, executes, solution, partials, checks, expected },
      verifierFiles: step.arrives.map((file) => ({ ...file, path: `pristine/${file.path}` })),
    };
  });
  return { ...start, firstStep: first.name, later: others };
}
