import type { Work } from "../work.ts";

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
