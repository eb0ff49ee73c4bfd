import { dayOf } from "../dates.ts";
import { factsInPeriod } from "../facts.ts";
import type { Work } from "../work.ts";
import { counting, period } from "./phrases.ts";

/** A month-by-month series without gaps. */
export const monthlySeries: Work = {
  shape: "monthly-series",
  from: 1,
  target: "file",
  make(random, world) {
    const path = `${world.output}/${random.pick(["monthly", "by_month", "months"])}.json`;
    const category = random.pick(world.categories);
    return {
      artefact: path,
      statement: `${path} gives the months of ${world.year} with count and sum of the counting ${world.theme.entries}`,
      demand: `In \`${path}\` I need a JSON array with one object for each of the twelve months of ${world.year}, January first, months without anything included: \`month\` (like "${world.year}-01"), \`count\`, \`cents\` (sum over all ${counting(world)} of that month that lie in the period ${period(world)}) and \`share\` (how many of them have the ${world.theme.category} "${category}").`,
      format: "JSON array of objects month, count, cents, share",
      derivation: "entries that count, in the period, by month",
      ordering: "by month",
      check: "equal to the array computed from the world",
      verify: `v.equal(v.json('${path}'), wanted, '${path}')`,
      solve: (
        mistaken,
      ) => `series = [{'month': f'${world.year}-{month:02}', 'count': 0, 'cents': 0, 'share': 0} for month in range(1, 13)]
for fact in in_period(${mistaken ? "collect(True)" : "facts"}):
    if fact[5].startswith('${world.year}-'):
        slot = series[int(fact[5][5:7]) - 1]
        slot['count'] += 1
        slot['cents'] += fact[4]
        slot['share'] += fact[3] == ${JSON.stringify(category)}
json.dump(series, open('${path}', 'w'))`,
      expected(bug) {
        const facts = factsInPeriod(world, bug);
        return Array.from({ length: 12 }, (_, i) => {
          const [first, next] = [dayOf(world.year, i + 1, 1), dayOf(world.year, i + 2, 1)];
          const own = facts.filter(({ day }) => day >= first && day < next);
          return {
            month: `${world.year}-${String(i + 1).padStart(2, "0")}`,
            count: own.length,
            cents: own.reduce((sum, fact) => sum + fact.cents, 0),
            share: own.filter((fact) => fact.category === category).length,
          };
        });
      },
    };
  },
};
