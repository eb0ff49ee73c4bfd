import type { DraftStep, FixtureFile, TaskDraft } from "../family.ts";
import { type Composition, compose } from "./compose.ts";

/** A later step from its questions. */
export type StepComposition = Pick<
  Composition,
  "random" | "instruction" | "prelude" | "questions" | "untouched" | "spoil"
> &
  Pick<DraftStep, "name" | "arrives" | "setup"> & {
    /** The files below `untouched` as they are when the step begins. */
    readonly pristine?: readonly FixtureFile[];
  };

/** An ordered draft: the first step from a whole composition, the later ones from theirs; ids count on. */
export function composeOrdered(
  first: Composition & { readonly firstStep: string },
  later: readonly StepComposition[],
): TaskDraft {
  const { spoil: _spoil, ...common } = first;
  const start = compose(first);
  let numbersFrom = start.requirements.length + 1;
  const steps = later.map((step): DraftStep => {
    const { requirements, artefacts, executes, solution, partials, checks, expected } = compose({
      ...common,
      ...step,
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
      verifierFiles: (step.pristine ?? []).map((file) => ({ ...file, path: `pristine/${file.path}` })),
    };
  });
  return { ...start, firstStep: first.firstStep, later: steps };
}
