import { entryRow, livingCondition, mainTables, partyRow, viewName } from "../database.ts";
import type { Work } from "../work.ts";
import type { Entry, Party } from "../world.ts";

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
