import type { Random } from "../../../statistics/index.ts";
import type { Difficulty } from "../family.ts";
import { type DateForm, dayOf, isoDay } from "./dates.ts";
import { drawName, drawTheme, type Theme } from "./theme.ts";

export type RemovalMark = "stamp" | "flag" | "state";
export type Party = { id: number; code: string; name: string; group: string; removed: boolean };
export type Entry = {
  id: number;
  party: number;
  category: string;
  cents: number;
  day: number;
  form: DateForm;
  removed: boolean;
  /** `inserted` and `removed`: the journal did it, the database file doesn't have it. */
  journal: "" | "inserted" | "removed";
};
export type LegacyEntry = {
  ref: string;
  code: string;
  category: string;
  cents: number;
  day: number;
  void: boolean;
  movedTo: number | null;
};
export type Audit = {
  entry: number;
  at: string;
  action: "insert" | "update";
  field: string;
  old: string | null;
  new: string | null;
};
export type Contact = { id: number; party: number; address: string; verified: string };

/** The state from which a task is made: database, notes and journal are written from it, and the answers computed. */
export type World = {
  readonly theme: Theme;
  readonly level: Difficulty;
  readonly database: string;
  readonly output: string;
  readonly notes: string;
  readonly journalPath: string;
  readonly partyMark: RemovalMark;
  readonly entryMark: RemovalMark;
  readonly dayFirst: boolean;
  readonly legacyTable: string;
  readonly parties: readonly Party[];
  readonly entries: readonly Entry[];
  readonly legacy: readonly LegacyEntry[];
  readonly audits: readonly Audit[];
  readonly contacts: readonly Contact[];
  readonly groups: readonly string[];
  readonly categories: readonly string[];
  readonly year: number;
  readonly from: number;
  readonly to: number;
  readonly top: number;
  readonly cutoff: string;
};

export function drawWorld(random: Random, level: Difficulty): World {
  const theme = drawTheme(random);
  const groups = random.sample(theme.groups, random.integer(4, 6));
  const categories = random.sample(theme.categories, random.integer(4, 6));
  const year = random.integer(2018, 2025);
  const start = random.integer(1, 7);
  const from = dayOf(year, start, random.pick([1, 1, 6, 15]));
  const to = dayOf(year, start + random.integer(3, 5), random.pick([1, 10, 21, 28]));
  const parties = drawParties(random, theme, groups);
  const dayFirst = random.boolean();
  const forms: DateForm[] =
    level === 1
      ? ["iso"]
      : ["iso", ...random.sample<DateForm>(["compact", "dotted", "slashed", "named"], random.integer(2, 3))];
  const clues = { parties, categories, year, from, to, forms, level };
  const entries = drawEntries(random, clues);
  const legacy = level >= 3 ? drawLegacy(random, clues, entries) : [];
  const audits = drawAudits(random, entries, clues);
  const stem = random.pick([
    theme.parties,
    theme.entries,
    theme.place.split(" ")[0] as string,
    "main",
    "office",
    "records",
  ]);
  return {
    theme,
    level,
    groups,
    categories,
    year,
    from,
    to,
    parties,
    entries,
    legacy,
    dayFirst,
    database: `/app/${random.pick(["data", "db", "store", "var"])}/${stem}.${random.pick(["db", "sqlite", "sqlite3"])}`,
    output: `/app/${random.pick(["out", "reports", "results", "answers", "delivery"])}`,
    notes: `/app/docs/${random.pick(["NOTES", "conventions", "schema-notes", "handbook"])}.md`,
    journalPath: `/app/${random.pick(["journal", "log", "backup"])}/${random.pick(["writes", "changes", "transactions"])}.log`,
    partyMark: random.pick(["stamp", "flag", "state"] as const),
    entryMark: random.pick(["stamp", "flag", "state"] as const),
    legacyTable: random.pick([
      `${theme.entries}_old`,
      `${theme.entries}_${year - 1}`,
      `legacy_${theme.entries}`,
      `imported_${theme.entries}`,
    ]),
    contacts: drawContacts(random, parties),
    audits: audits.rows,
    cutoff: audits.cutoff,
    top: random.integer(9, 12),
  };
}

function drawParties(random: Random, theme: Theme, groups: readonly string[]): Party[] {
  const count = random.integer(28, 40);
  const first = random.integer(3, 400);
  const numbers = random.sample(
    Array.from({ length: 900 }, (_, i) => i + 100),
    count,
  );
  return Array.from({ length: count }, (_, i) => ({
    id: first + i * 3 + random.integer(0, 2),
    code: `${theme.codePrefix}-${numbers[i]}`,
    name: drawName(random),
    group: groups[i % groups.length] as string,
    removed: i < groups.length ? true : i < groups.length * 2 ? false : random.boolean(0.12),
  }));
}

type Clues = {
  parties: readonly Party[];
  categories: readonly string[];
  year: number;
  from: number;
  to: number;
  forms: readonly DateForm[];
  level: Difficulty;
};

function drawEntries(random: Random, clues: Clues): Entry[] {
  const { parties, categories, year, from, to, forms, level } = clues;
  const entries: Entry[] = [];
  const living = parties.filter((party) => !party.removed);
  const missing = Array.from({ length: 4 }, (_, i) => (parties.at(-1) as Party).id + 5 + i * random.integer(1, 6));
  const add = (fields: Partial<Entry>) =>
    entries.push({
      id: 0,
      party: random.pick(parties).id,
      category: random.pick(categories),
      cents: random.integer(500, 26_000),
      day: random.boolean(0.6) ? random.integer(from, to) : dayOf(year, 1, 1) + random.integer(0, 364),
      form: random.pick(forms),
      removed: random.boolean(0.1),
      journal: "",
      ...fields,
    });
  const large = () => random.integer(300_000, 900_000);
  const count = random.integer(130, 190);
  for (let i = 0; i < count; i++) add({});
  for (const group of new Set(parties.map((party) => party.group))) {
    const gone = parties.find((party) => party.removed && party.group === group) as Party;
    const alive = living.find((party) => party.group === group) as Party;
    add({ party: gone.id, cents: large(), day: random.integer(from, to), removed: false });
    add({ party: alive.id, cents: large(), day: random.integer(from, to), removed: true });
  }
  add({ party: random.pick(living).id, cents: large(), day: to, removed: false, form: "iso" });
  add({ party: random.pick(living).id, cents: large(), day: from, removed: false, form: "iso" });
  for (const form of forms.slice(1)) {
    add({ party: random.pick(living).id, cents: large(), day: random.integer(from, to), removed: false, form });
    add({ party: random.pick(living).id, form });
  }
  if (level >= 2)
    for (const id of missing)
      for (let i = random.integer(1, 3); i > 0; i--) add({ party: id, removed: random.boolean(0.3) });
  const shuffled = random.shuffle(entries);
  let id = random.integer(1, 2000);
  for (const entry of shuffled) {
    id += random.integer(1, 3);
    entry.id = id;
  }
  if (level === 5) drawJournalled(random, shuffled, clues, id);
  return shuffled;
}

function drawJournalled(random: Random, entries: Entry[], clues: Clues, last: number): void {
  const living = clues.parties.filter((party) => !party.removed);
  for (const entry of random.sample(
    entries.filter((entry) => !entry.removed),
    random.integer(4, 7),
  )) {
    entry.removed = true;
    entry.journal = "removed";
  }
  let id = last;
  for (let i = random.integer(7, 12); i > 0; i--) {
    id += random.integer(1, 2);
    entries.push({
      id,
      party: random.pick(living).id,
      category: random.pick(clues.categories),
      cents: i <= 2 ? random.integer(300_000, 900_000) : random.integer(500, 26_000),
      day: random.integer(clues.from, clues.to),
      form: "iso",
      removed: false,
      journal: "inserted",
    });
  }
}

function drawLegacy(random: Random, clues: Clues, entries: readonly Entry[]): LegacyEntry[] {
  const living = clues.parties.filter((party) => !party.removed);
  const rows: LegacyEntry[] = [];
  const add = (fields: Partial<LegacyEntry>) =>
    rows.push({
      ref: "",
      code: random.pick(clues.parties).code,
      category: random.pick(clues.categories),
      cents: random.integer(500, 26_000),
      day: random.integer(clues.from - 40, clues.to),
      void: random.boolean(0.15),
      movedTo: null,
      ...fields,
    });
  for (let i = random.integer(24, 40); i > 0; i--) add({});
  for (const entry of random.sample(
    entries.filter((entry) => entry.journal === ""),
    12,
  )) {
    const party = clues.parties.find((party) => party.id === entry.party);
    if (party)
      add({
        code: party.code,
        category: entry.category,
        cents: entry.cents,
        day: entry.day,
        movedTo: entry.id,
        void: false,
      });
  }
  for (let i = 0; i < 2; i++) {
    const fields = { cents: random.integer(300_000, 900_000), day: random.integer(clues.from, clues.to), void: false };
    add({ ...fields, code: random.pick(living).code });
    add({ ...fields, code: random.pick(living).code, void: true });
  }
  const prefix = random.pick(["L", "OLD-", "X", "A/"]);
  return random.shuffle(rows).map((row, i) => ({ ...row, ref: `${prefix}${1000 + i * 7}` }));
}

function drawAudits(random: Random, entries: readonly Entry[], clues: Clues): { rows: Audit[]; cutoff: string } {
  const base = clues.to + random.integer(5, 20);
  const stamp = (day: number) =>
    `${isoDay(day)}T${String(random.integer(6, 19)).padStart(2, "0")}:${String(random.integer(0, 59)).padStart(2, "0")}:${String(random.integer(0, 59)).padStart(2, "0")}Z`;
  const cutoffDay = base + 15;
  const rows: Audit[] = [];
  const present = entries.filter((entry) => entry.journal !== "inserted");
  for (const entry of random.sample(present, clues.level >= 4 ? 45 : 12)) {
    const days = random
      .sample(
        Array.from({ length: 40 }, (_, i) => base + i).filter((day) => day !== cutoffDay),
        random.integer(1, 4),
      )
      .sort((a, b) => b - a);
    let cents = String(entry.cents);
    let category = entry.category;
    days.forEach((day, i) => {
      if (i === days.length - 1 && random.boolean(0.25)) {
        rows.push({ entry: entry.id, at: stamp(day), action: "insert", field: "*", old: null, new: null });
      } else if (random.boolean(0.6)) {
        const old = String(random.integer(500, 30_000));
        rows.push({ entry: entry.id, at: stamp(day), action: "update", field: "amount", old, new: cents });
        cents = old;
      } else {
        const old = random.pick(clues.categories.filter((name) => name !== category));
        rows.push({ entry: entry.id, at: stamp(day), action: "update", field: "category", old, new: category });
        category = old;
      }
    });
  }
  return { rows: random.shuffle(rows), cutoff: `${isoDay(cutoffDay)}T12:00:00Z` };
}

function drawContacts(random: Random, parties: readonly Party[]): Contact[] {
  const rows: Contact[] = [];
  const hosts = ["mail.example", "post.example", "office.example"];
  for (const party of parties.slice(0, 24)) {
    const address = `${party.name
      .toLowerCase()
      .normalize("NFD")
      .replace(/[^a-z]+/g, ".")
      .replace(/^\.|\.$/g, "")}${party.id}@${random.pick(hosts)}`;
    const days = random.sample(
      Array.from({ length: 300 }, (_, i) => i),
      random.pick([1, 1, 2, 3]),
    );
    days.forEach((offset, i) => {
      const variant =
        i === 0
          ? address
          : random.pick([
              address.toUpperCase(),
              ` ${address}`,
              `${address} `,
              address.replace(/^./, (c) => c.toUpperCase()),
            ]);
      rows.push({ id: 0, party: party.id, address: variant, verified: isoDay(dayOf(2019, 1, 1) + offset) });
    });
  }
  return random.shuffle(rows).map((row, i) => ({ ...row, id: i * 2 + 11 }));
}
