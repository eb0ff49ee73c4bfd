import type { Difficulty } from "../family.ts";
import { markName } from "./database.ts";
import { isoDay } from "./dates.ts";
import type { World } from "./world.ts";

const gone = { stamp: "is not None", flag: "== 1", state: "== 'D'" };

/**
 * The common part of a solution: opens the database and reads what counts. `skill` is the difficulty whose traps it
 * knows: a lower one leaves the later traps alone.
 */
export function preamble(world: World, skill: Difficulty): string {
  const { theme } = world;
  const lines = [
    "import csv, json, os, re, sqlite3",
    `db = sqlite3.connect(${JSON.stringify(world.database)})`,
    `os.makedirs(${JSON.stringify(world.output)}, exist_ok=True)`,
    `FROM, TO = "${isoDay(world.from)}", "${isoDay(world.to)}"`,
    "MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']",
    "",
    "def iso(text):",
    "    if re.fullmatch(r'\\d{4}-\\d\\d-\\d\\d', text):",
    "        return text",
  ];
  if (skill >= 2)
    lines.push(
      "    if re.fullmatch(r'\\d{8}', text):",
      "        return f'{text[:4]}-{text[4:6]}-{text[6:]}'",
      "    if re.fullmatch(r'\\d\\d\\.\\d\\d\\.\\d{4}', text):",
      "        return f'{text[6:]}-{text[3:5]}-{text[:2]}'",
      "    if re.fullmatch(r'\\d\\d/\\d\\d/\\d{4}', text):",
      world.dayFirst
        ? "        return f'{text[6:]}-{text[3:5]}-{text[:2]}'"
        : "        return f'{text[6:]}-{text[:2]}-{text[3:5]}'",
      "    named = re.fullmatch(r'([A-Z][a-z]{2}) (\\d+), (\\d{4})', text)",
      "    if named:",
      "        return f'{named[3]}-{MONTHS.index(named[1]) + 1:02}-{int(named[2]):02}'",
    );
  lines.push(
    "    return ''",
    "",
    "people = {}",
    `for number, code, name, group, mark in db.execute("SELECT id, code, name, ${theme.group}, ${markName[world.partyMark]} FROM ${theme.parties}"):`,
    `    people[number] = (code, name, group, mark ${gone[world.partyMark]})`,
  );
  if (skill >= 5 && world.level >= 5) lines.push("", journalReader(world));
  lines.push(
    "",
    "entries = {}",
    `for row in db.execute("SELECT id, ${theme.party}_id, ${theme.category}, ${theme.day}, ${theme.amount}, ${markName[world.entryMark]} FROM ${theme.entries} ORDER BY id"):`,
    `    entries[row[0]] = {'party': row[1], 'category': row[2], 'day': row[3], 'cents': row[4], 'gone': row[5] ${gone[world.entryMark]}}`,
  );
  if (skill >= 5 && world.level >= 5) lines.push("for change in journal(False):", "    apply(entries, change)");
  lines.push(
    "facts = []",
    "def collect(with_deleted=False):",
    "    found = []",
    "    for number, entry in sorted(entries.items()):",
    "        person = people.get(entry['party'])",
    "        if person and (with_deleted or not (person[3] or entry['gone'])):",
    "            found.append((person[0], person[1], person[2], entry['category'], entry['cents'], iso(entry['day']), 'current', str(number)))",
  );
  if (skill >= 3 && world.level >= 3)
    lines.push(
      "    by_code = {person[0]: person for person in people.values()}",
      `    for ref, code, category, day, amount, void, moved in db.execute("SELECT ref, ${theme.party}_code, ${theme.category}, day, amount, void, moved_to FROM ${world.legacyTable}"):`,
      "        person = by_code.get(code)",
      "        if person and moved is None and (with_deleted or (void == 'N' and not person[3])):",
      "            whole, cents = amount.split(',')",
      "            found.append((person[0], person[1], person[2], category, int(whole) * 100 + int(cents), iso(day), 'legacy', ref))",
    );
  lines.push(
    "    return found",
    "facts = collect()",
    "def in_period(found):",
    "    return [fact for fact in found if FROM <= fact[5] <= TO]",
  );
  return lines.join("\n");
}

/** Reads the journal: changes of committed transactions, in the order of their commits. */
function journalReader(world: World): string {
  return `def journal(with_aborted):
    open_transactions, changes = {}, []
    with open(${JSON.stringify(world.journalPath)}, encoding='utf-8') as file:
        for line in file:
            found = re.match(r'\\S+ tx=(\\d+) (\\w+) ?(.*)', line.strip())
            if not found:
                continue
            number, verb, rest = found.groups()
            if verb == 'BEGIN':
                open_transactions[number] = []
            elif verb in ('COMMIT', 'ROLLBACK'):
                pending = open_transactions.pop(number)
                if verb == 'COMMIT' or with_aborted:
                    changes += pending
            else:
                open_transactions[number].append((verb, json.loads(rest)))
    return changes

def apply(entries, change):
    verb, data = change
    if verb == 'INSERT':
        entries[data['id']] = {'party': data['${world.theme.party}_id'], 'category': data['${world.theme.category}'], 'day': data['${world.theme.day}'], 'cents': data['${world.theme.amount}'], 'gone': False}
    elif verb == 'UPDATE' and data['id'] in entries:
        entries[data['id']]['cents'] = data['${world.theme.amount}']
    elif verb == 'DELETE' and data['id'] in entries:
        entries[data['id']]['gone'] = True
`;
}
