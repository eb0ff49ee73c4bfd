import { isoDay } from "../dates.ts";
import { countingFacts } from "../facts.ts";
import type { Work } from "../work.ts";
import type { Party } from "../world.ts";

/** Old and new rows merged in a table that refuses bad rows. */
export const constrainedTable: Work = {
  shape: "constrained-table",
  from: 3,
  target: "database",
  make(random, world) {
    const { theme } = world;
    const table = random.pick([`${theme.entries}_clean`, `all_${theme.entries}`, `${theme.entry}_register`]);
    const party = (world.parties.find(({ removed }) => !removed) as Party).code;
    const good = ["legacy", "probe-1", party, world.categories[0] as string, "2017-03-04", 125];
    const bad = (index: number, cell: string | number | null, why: string) => ({
      why,
      row: good.map((old, i) => (i === index ? cell : i === 1 ? "probe-2" : old)),
    });
    const rules = random.sample(
      [
        {
          text: "`cents` must not be negative",
          sql: "CHECK (cents >= 0)",
          column: 5,
          bad: bad(5, -random.integer(1, 900), "a negative amount"),
        },
        {
          text: `\`code\` must be the code of a row in \`${theme.parties}\` (a foreign key)`,
          sql: `REFERENCES ${theme.parties} (code)`,
          column: 2,
          bad: bad(2, `${theme.codePrefix}-none`, "an unknown code"),
        },
        {
          text: "`day` must have the form YYYY-MM-DD",
          sql: "CHECK (day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]')",
          column: 4,
          bad: bad(4, "04.03.2017", "a dotted date"),
        },
        {
          text: `\`${theme.category}\` must not be NULL`,
          sql: "NOT NULL",
          column: 3,
          bad: bad(3, null, `no ${theme.category}`),
        },
        {
          text: "`source` must be `current` or `legacy`",
          sql: "CHECK (source IN ('current', 'legacy'))",
          column: 0,
          bad: bad(0, "other", "another source"),
        },
      ],
      random.integer(2, 4),
    );
    const keyRow = { why: "the same source and ref twice", row: good };
    const column = (i: number, mistaken: boolean) =>
      rules
        .filter((rule, k) => rule.column === i && !(mistaken && k === 0))
        .map((rule) => ` ${rule.sql}`)
        .join("");
    return {
      artefact: world.database,
      statement: `the table ${table} holds every counting entry, old and new, and refuses rows that break its rules`,
      demand: `Create the table \`${table}\` in the database with the columns \`source\`, \`ref\`, \`code\`, \`${theme.category}\`, \`day\`, \`cents\` (in this order; TEXT except the INTEGER \`cents\`) and fill it with all ${theme.entries} that count, of any date: \`source\` is \`current\` for \`${theme.entries}\` (\`ref\` = its id as text) and \`legacy\` for \`${world.legacyTable}\` (\`ref\` = its ref), \`code\` the ${theme.party}'s code, \`day\` as YYYY-MM-DD. The database has to refuse bad rows: \`source\` and \`ref\` together are the primary key; ${rules.map((rule) => rule.text).join("; ")}.`,
      format: `table source, ref, code, ${theme.category}, day, cents`,
      derivation: "entries that count, of both tables, in one form",
      check: "rows equal; a good row is accepted, one bad row for each rule is refused",
      negatives: rules.map((rule) => rule.bad.why),
      verify: `connection = database(v)
    cursor = connection.execute("SELECT * FROM ${table} ORDER BY source, ref")
    v.equal([column[0] for column in cursor.description], wanted['columns'], "columns of ${table}")
    v.equal([list(row) for row in cursor], wanted['rows'][0], '${table}')
    connection.execute('PRAGMA foreign_keys = ON')
    insert = "INSERT INTO ${table} VALUES (?, ?, ?, ?, ?, ?)"
    connection.execute(insert, wanted['rows'][1])
    for row, why in wanted['rows'][2]:
        try:
            connection.execute(insert, row)
        except _sqlite3.IntegrityError:
            continue
        v.fail(f"${table} accepts {why}")`,
      solve: (
        mistaken,
      ) => `db.execute("""CREATE TABLE ${table} (source TEXT${column(0, mistaken)}, ref TEXT, code TEXT${column(2, mistaken)}, ${theme.category} TEXT${column(3, mistaken)}, day TEXT${column(4, mistaken)}, cents INTEGER${column(5, mistaken)}, PRIMARY KEY (source, ref))""")
db.executemany("INSERT INTO ${table} VALUES (?, ?, ?, ?, ?, ?)", [(fact[6], fact[7], fact[0], fact[3], fact[5], fact[4]) for fact in facts])
db.commit()`,
      expected(bug) {
        const rows = countingFacts(world, bug).map((fact) => [
          fact.source,
          fact.ref,
          fact.party,
          fact.category,
          isoDay(fact.day),
          fact.cents,
        ]);
        const order = (row: readonly unknown[]) => `${row[0]}\u0000${row[1]}`;
        const sorted = rows.sort((a, b) => (order(a) < order(b) ? -1 : 1));
        return {
          columns: ["source", "ref", "code", theme.category, "day", "cents"],
          rows: [sorted, good, [...rules.map((rule) => rule.bad), keyRow].map((bad) => [bad.row, bad.why])],
        };
      },
    };
  },
};
