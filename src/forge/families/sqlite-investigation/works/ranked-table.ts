import { factsInPeriod } from "../facts.ts";
import type { Work } from "../work.ts";
import { counting, period } from "./phrases.ts";

const money = (cents: number) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;

/** The parties with the largest sums as CSV. */
export const rankedTable: Work = {
  shape: "ranked-csv",
  from: 1,
  target: "file",
  make(random, world) {
    const path = `${world.output}/${random.pick(["top", "largest", "ranking"])}_${world.theme.parties}.csv`;
    const columns = random.pick([
      ["code", "name", "entries", "total"],
      ["rank", "code", "name", "total"],
      ["code", "total", "entries"],
    ] as const);
    const cell = {
      code: "row[0]",
      name: "row[1][0]",
      entries: "row[1][1]",
      rank: "position",
      total: "f'{row[1][2] // 100}.{row[1][2] % 100:02}'",
    };
    const meaning = {
      code: "the code",
      name: "the name",
      entries: "how many",
      rank: "1, 2, …",
      total: "the sum as a decimal with two digits, like 1234.50",
    };
    return {
      artefact: path,
      statement: `${path} lists the ${world.top} ${world.theme.parties} with the largest sums in the period`,
      demand: `Put the ${world.top} ${world.theme.parties} with the largest sum of ${counting(world)} in the period ${period(world)} into \`${path}\`: CSV (comma, quotes only where needed) with the header \`${columns.join(",")}\`, where ${columns.map((name) => `\`${name}\` is ${meaning[name]}`).join(", ")}. Largest sum first; equal sums by code, ascending.`,
      format: `CSV with header ${columns.join(",")}`,
      derivation: "sums by party over the entries that count, in the period",
      ordering: "sum descending, then code ascending",
      check: "header, rows and order equal to those computed from the world",
      verify: `v.equal(v.csv('${path}'), wanted, '${path}')`,
      solve: (mistaken) => `ranking = {}
for fact in in_period(${mistaken ? "collect(True)" : "facts"}):
    slot = ranking.setdefault(fact[0], [fact[1], 0, 0])
    slot[1] += 1
    slot[2] += fact[4]
with open('${path}', 'w', newline='', encoding='utf-8') as file:
    writer = csv.writer(file, lineterminator='\\n')
    writer.writerow(${JSON.stringify(columns)})
    for position, row in enumerate(sorted(ranking.items(), key=lambda item: (-item[1][2], item[0]))[:${world.top}], 1):
        writer.writerow([${columns.map((name) => cell[name]).join(", ")}])`,
      expected(bug) {
        const sums = new Map<string, { code: string; name: string; entries: number; cents: number }>();
        for (const fact of factsInPeriod(world, bug)) {
          const slot = sums.get(fact.party) ?? { code: fact.party, name: fact.name, entries: 0, cents: 0 };
          sums.set(fact.party, { ...slot, entries: slot.entries + 1, cents: slot.cents + fact.cents });
        }
        const ordered = [...sums.values()]
          .sort((a, b) => b.cents - a.cents || (a.code < b.code ? -1 : 1))
          .slice(0, world.top);
        const rows = ordered.map((row, i) =>
          columns.map((name) =>
            name === "rank" ? String(i + 1) : name === "total" ? money(row.cents) : String(row[name]),
          ),
        );
        return [[...columns], ...rows];
      },
    };
  },
};
