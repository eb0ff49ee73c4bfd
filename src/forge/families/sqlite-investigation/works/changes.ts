import { entryRow, livingCondition, mainTables, markName, markValue, partyRow, viewName } from "../database.ts";
import { isoDay } from "../dates.ts";
import { countingFacts } from "../facts.ts";
import type { Work } from "../work.ts";
import type { Entry, Party } from "../world.ts";

const formPattern = { iso: "", compact: "\\d{8}", dotted: ".*\\..*", slashed: ".*/.*", named: ".*,.*" };

/** Dates of the entries table rewritten in one form. */
export const datesInPlace: Work = {
  shape: "normalised-column",
  from: 2,
  target: "database",
  make(random, world) {
    const { theme } = world;
    const present = world.entries.filter((entry) => entry.journal !== "inserted");
    const left = random.pick([...new Set(present.map((entry) => entry.form))].filter((form) => form !== "iso"));
    return {
      artefact: world.database,
      statement: `every ${theme.entries}.${theme.day} in the database is an ISO date of the same day`,
      demand: `Convert \`${theme.entries}.${theme.day}\` in the database itself: every row as YYYY-MM-DD, the same day as before, whatever form it has now (deleted rows and rows without ${theme.party} too).`,
      format: "TEXT column, YYYY-MM-DD",
      derivation: "the day that the text means by the conventions in the notes",
      check: "the day of each row, by id",
      verify: `found = dict(database(v).execute('SELECT id, ${theme.day} FROM ${theme.entries}'))
    v.equal([[number, found.get(number)] for number, day in wanted], wanted, '${theme.entries}.${theme.day}')`,
      solve: (mistaken) => `for number, text in db.execute("SELECT id, ${theme.day} FROM ${theme.entries}").fetchall():
    ${mistaken ? `if re.fullmatch(r'${formPattern[left]}', text):\n        continue\n    ` : ""}db.execute("UPDATE ${theme.entries} SET ${theme.day} = ? WHERE id = ?", (iso(text), number))
db.commit()`,
      expected: () => present.map((entry) => [entry.id, isoDay(entry.day)]),
    };
  },
};

/** A misleading view replaced by one that gives what its name says. */
export const correctedView: Work = {
  shape: "corrected-view",
  from: 3,
  target: "database",
  make(random, world) {
    const { theme } = world;
    const view = viewName(world);
    const parties: Party[] = Array.from({ length: 7 }, (_, i) => ({
      id: i + 1,
      code: `Q-${random.integer(100, 999)}${i}`,
      name: `Sample ${i}`,
      group: random.pick(world.groups),
      removed: i % 3 === 2,
    }));
    const entries: Entry[] = Array.from({ length: 26 }, (_, i) => ({
      id: i + 1,
      party: random.integer(2, 9),
      category: random.pick(world.categories),
      cents: random.integer(1, 9000),
      day: world.from,
      form: "iso",
      removed: i < 4 ? i % 2 === 0 : random.boolean(0.3),
      journal: "",
    }));
    entries.push({ ...(entries[0] as Entry), id: 90, party: 2, removed: true, cents: 77 });
    const value = parties
      .filter((party) => !party.removed)
      .map((party) => {
        const own = entries.filter((entry) => entry.party === party.id && !entry.removed);
        return [party.code, party.name, own.length, own.reduce((sum, entry) => sum + entry.cents, 0)];
      })
      .sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1));
    const [p, e] = [theme.parties, theme.entries];
    return {
      artefact: world.database,
      statement: `the view ${view} gives one row for each ${theme.party} that isn't deleted, with its entries that aren't deleted`,
      demand: `Replace the view \`${view}\`, which misleads everybody: it has to give one row for each ${theme.party} that isn't deleted (those without any ${theme.entry} too, with zeros), in the columns \`code\`, \`name\`, \`entries\`, \`cents\`, counting and adding up the rows of \`${e}\` that aren't deleted, of any date and from that table only. It has to compute that from \`${p}\` and \`${e}\` directly, for whatever they hold later.`,
      format: "view with columns code, name, entries, cents",
      derivation: "left join of parties and their entries, deleted rows left out",
      check: "the view's definition evaluated over other rows",
      verify: `found = database(v).execute("SELECT sql FROM sqlite_master WHERE type = 'view' AND name = ?", ['${view}']).fetchone()
    v.expect(found, "there is no view ${view}")
    twin = empty()
    for statement in wanted['rows'][0] + [found[0]]:
        twin.execute(statement)
    for table, rows in wanted['rows'][1]:
        twin.executemany(f"INSERT INTO {table} VALUES ({','.join('?' * len(rows[0]))})", rows)
    cursor = twin.execute("SELECT * FROM ${view} ORDER BY code")
    v.equal([column[0] for column in cursor.description], ['code', 'name', 'entries', 'cents'], "columns of ${view}")
    v.equal([list(row) for row in cursor], wanted['rows'][2], "${view} over other rows")`,
      solve: (mistaken) => `db.execute("DROP VIEW ${view}")
db.execute("""CREATE VIEW ${view} AS SELECT p.code AS code, p.name AS name, COUNT(e.id) AS entries, COALESCE(SUM(e.${theme.amount}), 0) AS cents
  FROM ${p} p LEFT JOIN ${e} e ON e.${theme.party}_id = p.id${mistaken ? "" : ` AND e.${livingCondition(world.entryMark)}`} WHERE p.${livingCondition(world.partyMark)} GROUP BY p.id""")
db.commit()`,
      expected: () => ({
        rows: [
          mainTables(world),
          [
            [p, parties.map((party) => partyRow(world, party))],
            [e, entries.map((entry) => entryRow(world, entry))],
          ],
          value,
        ],
      }),
    };
  },
};

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

/** Duplicate contacts removed and kept out by an index. */
export const uniqueContacts: Work = {
  shape: "unique-index",
  from: 4,
  target: "database",
  make(random, world) {
    const index = random.pick(["contacts_address", "one_address_once", "contacts_unique_address"]);
    const keepLatest = random.boolean(0.6);
    const normal = (address: string) => address.trim().toLowerCase();
    return {
      artefact: world.database,
      statement: `contacts has each address once, normalised, and the unique index ${index}`,
      demand: `The table \`contacts\` has the same address several times, in other letters or with blanks around it. Keep of each the row with the ${keepLatest ? "latest" : "earliest"} \`verified_on\` (its id stays), delete the others, store the remaining addresses in lower case without blanks around them, and create the unique index \`${index}\` on \`contacts (address)\`.`,
      format: "table contacts and a unique index",
      derivation: "rows grouped by normalised address",
      check: "rows equal; the index is there; a second row with an address that exists is refused",
      verify: `connection = database(v)
    rows = [list(row) for row in connection.execute('SELECT * FROM contacts ORDER BY id')]
    v.equal(rows, wanted, 'contacts')
    v.expect(connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'index' AND name = ? AND tbl_name = 'contacts'", ['${index}']).fetchone(), "there is no index ${index} on contacts")
    try:
        connection.execute('INSERT INTO contacts VALUES (999999, ?, ?, ?)', rows[0][1:])
    except _sqlite3.IntegrityError:
        return
    v.fail('contacts accepts an address twice')`,
      solve: (mistaken) => `seen = set()
for number, address in db.execute("SELECT id, address FROM contacts ORDER BY ${mistaken ? "id" : `verified_on ${keepLatest ? "DESC" : "ASC"}`}").fetchall():
    plain = address.strip().lower()
    if plain in seen:
        db.execute("DELETE FROM contacts WHERE id = ?", (number,))
    else:
        db.execute("UPDATE contacts SET address = ? WHERE id = ?", (plain, number))
    seen.add(plain)
db.execute("CREATE UNIQUE INDEX ${index} ON contacts (address)")
db.commit()`,
      expected() {
        const kept = world.contacts.filter((row) =>
          world.contacts.every(
            (other) =>
              normal(other.address) !== normal(row.address) ||
              (keepLatest ? other.verified <= row.verified : other.verified >= row.verified),
          ),
        );
        return kept.map((row) => [row.id, row.party, normal(row.address), row.verified]);
      },
    };
  },
};

/** Writes that were lost, brought back from the journal. */
export const restoredRows: Work = {
  shape: "restored-rows",
  from: 5,
  target: "database",
  make(_random, world) {
    const { theme } = world;
    const [mark, amount] = [markName[world.entryMark], theme.amount];
    const inserted = world.entries.filter((entry) => entry.journal === "inserted");
    const gone =
      world.entryMark === "stamp"
        ? `${mark} IS NOT NULL`
        : world.entryMark === "flag"
          ? `${mark} = 1`
          : `${mark} = 'D'`;
    const living = JSON.stringify(markValue(world.entryMark, false, 0));
    const deletion = world.entryMark === "stamp" ? "'2026-01-01T00:00:00Z'" : world.entryMark === "flag" ? "1" : "'D'";
    return {
      artefact: world.database,
      statement: `${theme.entries} holds what the committed transactions of ${world.journalPath} wrote`,
      demand: `The file is a copy from before the last writes. Bring \`${theme.entries}\` up to date in the database by replaying \`${world.journalPath}\` (the notes say how it reads); the other work is about the table after that${world.level === 5 ? ", unless a point above or below says otherwise" : ""}.`,
      format: `rows of ${theme.entries}`,
      derivation: "committed transactions of the journal, in the order of their commits",
      check: "id, party, category, amount and deletion of every row, and the day of restored rows",
      negatives: ["changes of transactions that were rolled back or never ended"],
      verify: `connection = database(v)
    rows = [list(row) for row in connection.execute("SELECT id, ${theme.party}_id, ${theme.category}, ${amount}, ${gone} FROM ${theme.entries} ORDER BY id")]
    v.equal(rows, wanted[0], '${theme.entries}')
    days = dict(connection.execute('SELECT id, ${theme.day} FROM ${theme.entries}'))
    v.equal([[number, days.get(number)] for number, day in wanted[1]], wanted[1], 'days of restored rows')`,
      solve: (mistaken) => `for verb, data in journal(${mistaken ? "True" : "False"}):
    if verb == 'INSERT':
        db.execute("INSERT INTO ${theme.entries} VALUES (?, ?, ?, ?, ?, ?)", (data['id'], data['${theme.party}_id'], data['${theme.category}'], data['${theme.day}'], data['${amount}'], ${living === "null" ? "None" : living}))
    elif verb == 'UPDATE':
        db.execute("UPDATE ${theme.entries} SET ${amount} = ? WHERE id = ?", (data['${amount}'], data['id']))
    else:
        db.execute("UPDATE ${theme.entries} SET ${mark} = ${deletion} WHERE id = ?", (data['id'],))
db.commit()`,
      expected: () => [
        [...world.entries]
          .sort((a, b) => a.id - b.id)
          .map((entry) => [entry.id, entry.party, entry.category, entry.cents, Number(entry.removed)]),
        inserted.map((entry) => [entry.id, isoDay(entry.day)]),
      ],
    };
  },
};
