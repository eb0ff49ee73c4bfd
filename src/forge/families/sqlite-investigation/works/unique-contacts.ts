import type { Work } from "../work.ts";

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
