import type { Random } from "../../../statistics/index.ts";
import type { Difficulty } from "../family.ts";
import type { Part, PlantedBug } from "./part.ts";

/**
 * What is wrong with one part. `bugs`: planted ones; `missing`: the module was never written; `misleading`: a bug that
 * a visible test, contrary to the specification, demands.
 */
export type Fault = {
  readonly part: Part;
  readonly kind: "bugs" | "missing" | "misleading";
  readonly bugs: readonly PlantedBug[];
};

type Role = 1 | 2 | 3 | "missing" | "misleading" | "pair";

const plans: Record<Difficulty, readonly (readonly Role[])[]> = {
  1: [
    [1, 1],
    [1, 1, 1],
  ],
  2: [
    [2, 1],
    [2, 1, 1],
  ],
  3: [
    [2, 3, 1],
    [2, 3],
    [3, 3, 1],
  ],
  4: [
    [2, 3, "missing"],
    [3, 3, "missing"],
    [2, "missing", 3, 1],
  ],
  5: [["pair", "misleading", "missing"]],
};

/** The difficulty from which on a fault is seen by somebody who works at that level. */
export const skillFor = (fault: Fault, bug?: PlantedBug): Difficulty =>
  fault.kind === "missing" ? 4 : fault.kind === "misleading" ? 5 : (bug?.level ?? 1);

/** The first bug of level 3, the one that a part's twisted meaning has. */
export const twist = (part: Part): PlantedBug => part.bugs.find((bug) => bug.level === 3) as PlantedBug;

export function drawFaults(random: Random, parts: readonly Part[], level: Difficulty): Fault[] {
  const free = random.shuffle(parts);
  const faults: Fault[] = [];
  const plan = random.pick(plans[level].filter((roles) => roles.length < parts.length || level < 4));
  for (const role of plan) {
    const index = free.findIndex((part) => role !== 2 || part.bugs.some((bug) => bug.level === 2));
    if (index < 0) continue;
    const part = free.splice(index, 1)[0] as Part;
    if (role === "missing") faults.push({ part, kind: "missing", bugs: [] });
    else if (role === "misleading") faults.push({ part, kind: "misleading", bugs: [twist(part)] });
    else if (role === "pair") {
      const first = random.pick(part.bugs);
      faults.push({
        part,
        kind: "bugs",
        bugs: [first, random.pick(part.bugs.filter((bug) => bug.slot !== first.slot))],
      });
    } else faults.push({ part, kind: "bugs", bugs: [random.pick(part.bugs.filter((bug) => bug.level === role))] });
  }
  return faults;
}
