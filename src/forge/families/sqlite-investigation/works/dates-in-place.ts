import { isoDay } from "../dates.ts";
import type { Work } from "../work.ts";

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
