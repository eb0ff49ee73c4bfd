import type { Random } from "../../../statistics/index.ts";
import { dependencyOrderingFamily } from "../dependency-ordering/index.ts";
import type { Difficulty, Family, TaskDraft } from "../family.ts";
import { logForensicsFamily } from "../log-forensics/index.ts";
import { nestedArchivesFamily } from "../nested-archives/index.ts";
import { tabularReconciliationFamily } from "../tabular-reconciliation/index.ts";
import type { Stage } from "./stage.ts";
import { stages } from "./stages/index.ts";
import { type InputPlace, inputPlace, type Wrapped, wrap } from "./wrap.ts";

/** Families whose work starts from files that other work can bring about. */
const bases: readonly Family[] = [
  logForensicsFamily,
  tabularReconciliationFamily,
  nestedArchivesFamily,
  dependencyOrderingFamily,
];

type Drawn = { readonly base: Family; readonly seed: Random; readonly wrapped: Wrapped };

/** One stage at the lower levels, two at the higher; never one of the base's own kind. */
function draw(random: Random, difficulty: Difficulty, bug: string | null): Drawn {
  for (let turn = 0; ; turn++) {
    const choice = random.fork(`choice ${turn}`);
    const base = choice.pick([...bases]);
    const draft = base.draft(random.fork(`base ${turn}`), difficulty);
    const place = inputPlace(draft);
    const laid = place && pickStages(choice, base, place, { count: difficulty <= 2 ? 1 : 2, bug });
    if (!place || !laid) continue;
    const order = { random: random.fork(`stages ${turn}`), difficulty, bug };
    return { base, seed: random.fork(`base ${turn}`), wrapped: wrap(draft, place, laid, order) };
  }
}

function pickStages(
  choice: Random,
  base: Family,
  place: InputPlace,
  { count, bug }: { count: number; bug: string | null },
): Stage[] | null {
  const fitting = stages.filter((stage) => stage.family !== base.id && stage.suits(place.inputs));
  const inner = bug === null ? choice.shuffle(fitting)[0] : fitting.find(({ id }) => id === bug);
  if (inner === undefined) return null;
  if (count === 1) return [inner];
  // What the inner stage delivers is binary in part, which suits the outer stages that take any bytes.
  const outer = choice.shuffle(stages.filter(({ id }) => id === "packed" || id === "container" || id === "pieces"));
  const second = outer.find((stage) => stage !== inner && stage.family !== base.id);
  return second ? [inner, second] : null;
}

/** The draft of a scenario, with the solution that has a wrong intermediate in it. */
export const drawScenario = (random: Random, difficulty: Difficulty): { draft: TaskDraft; mistaken: string } =>
  draw(random, difficulty, null).wrapped;

function scenario(bug: string | null): Family {
  return {
    id: "scenario",
    title: "Scenarios of two or three skills",
    derivations: stages.map(({ id }) => id),
    withBug: (derivation) => scenario(derivation),
    draft: (random, difficulty) => draw(random, difficulty, bug).wrapped.draft,
    solutionAt(random, difficulty, skill) {
      const { base, seed, wrapped } = draw(random, difficulty, bug);
      return wrapped.prefixed(base.solutionAt?.(seed, difficulty, skill) ?? "");
    },
  };
}

/** One family's output is another's input: a delivery is unpacked, decoded, patched or put together, then worked on. */
export const scenarioFamily: Family = scenario(null);
