import { markName, markValue } from "../database.ts";
import { isoDay } from "../dates.ts";
import type { Work } from "../work.ts";

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
