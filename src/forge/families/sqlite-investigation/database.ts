import { Sqlite } from "../../../store/index.ts";
import { isoDay, writeDay } from "./dates.ts";
import type { Entry, RemovalMark, World } from "./world.ts";

const markColumn: Record<RemovalMark, string> = {
  stamp: "deleted_at TEXT",
  flag: "is_deleted INTEGER NOT NULL DEFAULT 0",
  state: "state TEXT NOT NULL DEFAULT 'A'",
};
export const markName: Record<RemovalMark, string> = { stamp: "deleted_at", flag: "is_deleted", state: "state" };

/** The value that the mark's column holds. */
export const markValue = (mark: RemovalMark, removed: boolean, id: number): string | number | null =>
  mark === "stamp"
    ? removed
      ? `${isoDay(18_000 + (id % 900))}T08:00:00Z`
      : null
    : mark === "flag"
      ? Number(removed)
      : removed
        ? "D"
        : "A";

/** SQL condition for rows that are not deleted. */
export const livingCondition = (mark: RemovalMark, alias = "") =>
  ({ stamp: `${alias}deleted_at IS NULL`, flag: `${alias}is_deleted = 0`, state: `${alias}state <> 'D'` })[mark];

/** A row of the entries table, in column order. */
export const entryRow = (world: World, entry: Entry, removed = entry.removed) => [
  entry.id,
  entry.party,
  entry.category,
  writeDay(entry.day, entry.form, world.dayFirst),
  entry.cents,
  markValue(world.entryMark, removed, entry.id),
];

export const partyRow = (world: World, party: World["parties"][number]) => [
  party.id,
  party.code,
  party.name,
  party.group,
  markValue(world.partyMark, party.removed, party.id),
];

/** Statements that make the two main tables; the verifier makes an empty twin with them. */
export const mainTables = (world: World): string[] => {
  const { theme } = world;
  return [
    `CREATE TABLE ${theme.parties} (id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, name TEXT NOT NULL, ${theme.group} TEXT NOT NULL, ${markColumn[world.partyMark]})`,
    `CREATE TABLE ${theme.entries} (id INTEGER PRIMARY KEY, ${theme.party}_id INTEGER NOT NULL, ${theme.category} TEXT NOT NULL, ${theme.day} TEXT NOT NULL, ${theme.amount} INTEGER NOT NULL, ${markColumn[world.entryMark]})`,
  ];
};

export const viewName = (world: World) => `active_${world.theme.parties}`;

/** Rows of every table, by name, as the database file has them. */
export function tableRows(world: World): Record<string, unknown[][]> {
  const { theme } = world;
  const rows: Record<string, unknown[][]> = {
    [theme.parties]: world.parties.map((party) => partyRow(world, party)),
    [theme.entries]: world.entries
      .filter((entry) => entry.journal !== "inserted")
      .map((entry) => entryRow(world, entry, entry.removed && entry.journal !== "removed")),
    [`${theme.entry}_audit`]: world.audits.map((audit, i) => [
      i + 1,
      audit.entry,
      audit.at,
      audit.action,
      audit.field,
      audit.old,
      audit.new,
    ]),
    contacts: world.contacts.map((contact) => [contact.id, contact.party, contact.address, contact.verified]),
    settings: [
      ["schema", String(3 + world.level)],
      ["owner", theme.place],
      ["last_vacuum", isoDay(world.from - 30)],
    ],
  };
  if (world.legacy.length > 0)
    rows[world.legacyTable] = world.legacy.map((row) => [
      row.ref,
      row.code,
      row.category,
      writeDay(row.day, "dotted", true),
      `${Math.floor(row.cents / 100)},${String(row.cents % 100).padStart(2, "0")}`,
      row.void ? "Y" : "N",
      row.movedTo,
    ]);
  return rows;
}

/** Where the file's header tells the version of the library that wrote it, and the one that it tells here. */
const libraryVersion = { offset: 96, value: 3_053_002 };

/** The database file: fixed page size, vacuumed, no clock; the same world gives the same bytes. */
export function buildDatabase(world: World): Uint8Array {
  const { theme } = world;
  const database = new Sqlite(":memory:");
  database.pragma("page_size = 4096");
  database.exec("BEGIN");
  for (const statement of mainTables(world)) database.exec(statement);
  database.exec(
    `CREATE TABLE ${theme.entry}_audit (audit_id INTEGER PRIMARY KEY, ${theme.entry}_id INTEGER NOT NULL, changed_at TEXT NOT NULL, action TEXT NOT NULL, field TEXT NOT NULL, old_value TEXT, new_value TEXT);
     CREATE TABLE contacts (id INTEGER PRIMARY KEY, ${theme.party}_id INTEGER NOT NULL, address TEXT NOT NULL, verified_on TEXT NOT NULL);
     CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT);
     CREATE INDEX ${theme.entries}_by_${theme.party} ON ${theme.entries} (${theme.party}_id);
     CREATE VIEW ${viewName(world)} AS SELECT p.code, p.name, COUNT(*) AS entries, SUM(e.${theme.amount}) AS cents
       FROM ${theme.parties} p JOIN ${theme.entries} e ON e.${theme.party}_id = p.id GROUP BY p.id;`,
  );
  if (world.legacy.length > 0)
    database.exec(
      `CREATE TABLE ${world.legacyTable} (ref TEXT PRIMARY KEY, ${theme.party}_code TEXT, ${theme.category} TEXT, day TEXT, amount TEXT, void TEXT, moved_to INTEGER)`,
    );
  for (const [table, rows] of Object.entries(tableRows(world))) {
    const insert = database.prepare(`INSERT INTO ${table} VALUES (${(rows[0] ?? []).map(() => "?").join(",")})`);
    for (const row of rows) insert.run(...row);
  }
  database.exec("COMMIT");
  database.exec("VACUUM");
  const bytes = database.serialize();
  bytes.writeUInt32BE(libraryVersion.value, libraryVersion.offset);
  database.close();
  return bytes;
}
