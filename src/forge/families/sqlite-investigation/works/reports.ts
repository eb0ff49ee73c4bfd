import { dayOf, isoDay } from "../dates.ts";
import { type Fact, factsInPeriod } from "../facts.ts";
import type { Work } from "../work.ts";
import type { World } from "../world.ts";

const period = (world: World) => `${isoDay(world.from)} to ${isoDay(world.to)}, both days included`;
const counting = (world: World) => `${world.theme.entries} that count (see the notes)`;

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

/** Entries whose party doesn't exist. */
export const orphanList: Work = {
  shape: "identifier-lines",
  from: 2,
  target: "file",
  make(random, world) {
    const path = `${world.output}/${random.pick(["orphans", "dangling", "without_owner"])}.txt`;
    const descending = random.boolean(0.3);
    return {
      artefact: path,
      statement: `${path} lists the ${world.theme.entries} that point to no ${world.theme.party}`,
      demand: `Some rows of \`${world.theme.entries}\` point to a ${world.theme.party} that isn't in \`${world.theme.parties}\` at all. List their ids in \`${path}\`, one on a line, ${descending ? "largest" : "smallest"} first, deleted rows included.`,
      format: "text, one number a line",
      derivation: "entries without a row in the parties table",
      ordering: descending ? "descending" : "ascending",
      check: "lines equal to those computed from the world",
      verify: `v.equal(v.lines('${path}'), wanted, '${path}')`,
      solve: (
        mistaken,
      ) => `dangling = [number for number, entry in entries.items() if entry['party'] not in people${mistaken ? " or people[entry['party']][3]" : ""}]
open('${path}', 'w').write(''.join(f'{number}\\n' for number in sorted(dangling, reverse=${descending ? "True" : "False"})))`,
      expected() {
        const known = new Set(world.parties.map((party) => party.id));
        const ids = world.entries.filter((entry) => !known.has(entry.party)).map((entry) => entry.id);
        return ids.sort((a, b) => (descending ? b - a : a - b)).map(String);
      },
    };
  },
};

/** What the audit table says about an instant in the past. */
export const pointInTime: Work = {
  shape: "point-in-time-json",
  from: 4,
  target: "file",
  make(random, world) {
    const path = `${world.output}/${random.pick(["as_of", "state_at", "snapshot_of"])}_${world.cutoff.slice(0, 10)}.json`;
    return {
      artefact: path,
      statement: `${path} gives count and sum of ${world.theme.entries} by ${world.theme.category} as they stood at ${world.cutoff}`,
      demand: `The auditors ask how \`${world.theme.entries}\` stood at ${world.cutoff}. Undo what \`${world.theme.entry}_audit\` records after that instant (on the table as it is in the file) and write \`${path}\`: a JSON object from ${world.theme.category} to an array \`[count, cents]\`, over all rows of that table that existed then, deleted or not. Leave out a ${world.theme.category} without rows.`,
      format: "JSON object {category: [integer, integer]}",
      derivation: "changes recorded after the instant undone, oldest old value wins",
      check: "equal to the object computed from the world",
      verify: `v.equal(v.json('${path}'), wanted, '${path}')`,
      solve: (
        mistaken,
      ) => `past = {row[0]: [row[1], row[2]] for row in db.execute("SELECT id, ${world.theme.category}, ${world.theme.amount} FROM ${world.theme.entries}")}
for number, action, field, old in db.execute("SELECT ${world.theme.entry}_id, action, field, old_value FROM ${world.theme.entry}_audit WHERE changed_at > '${world.cutoff}' ORDER BY changed_at ${mistaken ? "ASC" : "DESC"}"):
    if number not in past:
        continue
    if action == 'insert':
        del past[number]
    elif field == 'amount':
        past[number][1] = int(old)
    else:
        past[number][0] = old
standing = {}
for category, cents in past.values():
    slot = standing.setdefault(category, [0, 0])
    slot[0] += 1
    slot[1] += cents
json.dump(standing, open('${path}', 'w'))`,
      expected() {
        const standing: Record<string, [number, number]> = {};
        for (const entry of world.entries.filter(({ journal }) => journal !== "inserted")) {
          const later = world.audits
            .filter((audit) => audit.entry === entry.id && audit.at > world.cutoff)
            .sort((a, b) => (a.at < b.at ? -1 : 1));
          if (later.some((audit) => audit.action === "insert")) continue;
          const category = later.find((audit) => audit.field === "category")?.old ?? entry.category;
          const cents = Number(later.find((audit) => audit.field === "amount")?.old ?? entry.cents);
          standing[category] = [(standing[category]?.[0] ?? 0) + 1, (standing[category]?.[1] ?? 0) + cents];
        }
        return standing;
      },
    };
  },
};
