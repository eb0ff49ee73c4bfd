import { type Fact, factsInPeriod } from "../facts.ts";
import type { Work } from "../work.ts";
import { counting, period } from "./phrases.ts";

/** Counts and sums by one or two keys as a JSON object. */
export const groupedObject: Work = {
  shape: "grouped-json-object",
  from: 1,
  target: "file",
  make(random, world) {
    const path = `${world.output}/${random.pick(["by", "totals_by", "summary_by"])}_${world.theme.group}.json`;
    const [count, sum] = random.pick([
      ["count", "cents"],
      ["number", "total_cents"],
      [world.theme.entries, "sum_cents"],
    ] as const);
    const key = (fact: Fact) => fact.group;
    return {
      artefact: path,
      statement: `${path} gives count and sum of the counting ${world.theme.entries} of the period for each ${world.theme.group}`,
      demand: random.pick([
        `Write \`${path}\`: a JSON object with one key for each ${world.theme.group} that has at least one of the ${counting(world)} in the period ${period(world)}; its value is an object with \`${count}\` (how many) and \`${sum}\` (the sum in cents, a whole number).`,
        `For the period ${period(world)}, I want the ${counting(world)} added up by ${world.theme.group}: \`${path}\`, a JSON object from ${world.theme.group} to an object with the integers \`${count}\` (how many) and \`${sum}\` (sum in cents). Leave out a ${world.theme.group} without any.`,
      ]),
      format: `JSON object {${world.theme.group}: {"${count}": integer, "${sum}": integer}}`,
      derivation: "entries that count, in the period, grouped",
      check: "equal to the object computed from the world",
      verify: `v.equal(v.json('${path}'), wanted, '${path}')`,
      solve: (mistaken) => `totals = {}
for fact in in_period(${mistaken ? "collect(True)" : "facts"}):
    slot = totals.setdefault(fact[2], {'${count}': 0, '${sum}': 0})
    slot['${count}'] += 1
    slot['${sum}'] += fact[4]
json.dump(totals, open('${path}', 'w'), ensure_ascii=False)`,
      expected(bug) {
        const totals: Record<string, Record<string, number>> = {};
        for (const fact of factsInPeriod(world, bug)) {
          totals[key(fact)] ??= { [count]: 0, [sum]: 0 };
          const slot = totals[key(fact)] as Record<string, number>;
          slot[count] = (slot[count] ?? 0) + 1;
          slot[sum] = (slot[sum] ?? 0) + fact.cents;
        }
        return totals;
      },
    };
  },
};
