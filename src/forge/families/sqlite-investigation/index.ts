import type { Random } from "../../../statistics/index.ts";
import type { Requirement } from "../../../tasks/index.ts";
import type { Difficulty, Family, Partial as PartialSolution, TaskDraft } from "../family.ts";
import { writeLetter } from "../prose/index.ts";
import { checksSource } from "./checks.ts";
import { buildDatabase, markName } from "./database.ts";
import type { Bug } from "./facts.ts";
import { writeJournal, writeNotes } from "./journal.ts";
import { preamble } from "./preamble.ts";
import type { Work, WorkInstance } from "./work.ts";
import { constrainedTable } from "./works/constrained-table.ts";
import { correctedView } from "./works/corrected-view.ts";
import { datesInPlace } from "./works/dates-in-place.ts";
import { groupedObject } from "./works/grouped-object.ts";
import { monthlySeries } from "./works/monthly-series.ts";
import { orphanList } from "./works/orphan-list.ts";
import { pointInTime } from "./works/point-in-time.ts";
import { rankedTable } from "./works/ranked-table.ts";
import { restoredRows } from "./works/restored-rows.ts";
import { uniqueContacts } from "./works/unique-contacts.ts";
import { drawWorld, type World } from "./world.ts";

const reports = [groupedObject, rankedTable, monthlySeries];

function drawWorks(random: Random, level: Difficulty): Work[] {
  const take = (works: readonly Work[], minimum: number, maximum = minimum) =>
    random.sample(works, random.integer(minimum, maximum));
  switch (level) {
    case 1:
      return take(reports, 2, 3);
    case 2:
      return [...take(reports, 1, 2), ...take([orphanList, datesInPlace], 1, 2)];
    case 3:
      return [
        ...take(reports, 1, 2),
        ...take([correctedView, constrainedTable], 1, 2),
        ...take([orphanList, datesInPlace], 0, 1),
      ];
    case 4:
      return [
        ...take(reports, 1),
        pointInTime,
        ...take([uniqueContacts, correctedView, constrainedTable, datesInPlace], 1, 3),
      ];
    case 5:
      return [
        restoredRows,
        ...take(reports, 1),
        ...take([pointInTime, uniqueContacts, correctedView, constrainedTable, datesInPlace], 1, 3),
      ];
  }
}

type Numbered = { id: string; work: Work; instance: WorkInstance };

/** The solution as a script; the partial that names `mistaken` goes one requirement the wrong way. */
function script(world: World, skill: Difficulty, works: readonly Numbered[], mistaken: string | null): string {
  const order = [...works].sort(
    (a, b) =>
      Number(b.work === restoredRows) - Number(a.work === restoredRows) ||
      Number(a.work.target === "database") - Number(b.work.target === "database"),
  );
  const inOrder = [
    ...order.filter(({ work }) => work === pointInTime),
    ...order.filter(({ work }) => work !== pointInTime),
  ];
  const bodies = inOrder
    .filter(({ work }) => work.from <= skill)
    .map(({ id, instance }) => `# ${id}\n${instance.solve(id === mistaken)}`);
  return `#!/bin/bash\nset -euo pipefail\n/usr/bin/python3 -I -S - <<'PY'\n${preamble(world, skill)}\n\n${bodies.join("\n\n")}\ndb.close()\nPY\n`;
}

function requirement({ id, work, instance }: Numbered, world: World): Requirement {
  return {
    id,
    statement: instance.statement,
    kind: "positive",
    weight: 1,
    artefact: instance.artefact,
    format: instance.format,
    sources: [world.database, world.notes, ...(world.level === 5 ? [world.journalPath] : [])],
    derivation: instance.derivation,
    ...(instance.ordering ? { ordering: instance.ordering } : {}),
    negatives: [...(instance.negatives ?? [])],
    check: instance.check,
    shape: work.shape,
  };
}

/** Draws a task; `skill` below `level` gives the solution that would do at that lower level. */
export function draftSqlite(random: Random, level: Difficulty, bug: Bug, skill: Difficulty = level): TaskDraft {
  const world = drawWorld(random.fork("world"), level);
  const works = drawWorks(random.fork("works"), level).map((work, i) => ({
    id: `R${i + 1}`,
    work,
    instance: work.make(random.fork(`work ${i}`), world),
  }));
  const invariant = `R${works.length + 1}`;
  const inPlace = works.some(({ work }) => work.target === "database");
  const { theme } = world;
  const has = (work: Work) => works.some((entry) => entry.work === work);
  const excepted = [
    ...(has(datesInPlace) ? [theme.day] : []),
    ...(has(restoredRows) ? [markName[world.entryMark]] : []),
  ];
  const compared = {
    rows: [
      [
        theme.parties,
        theme.entries,
        `${theme.entry}_audit`,
        "settings",
        ...(has(uniqueContacts) ? [] : ["contacts"]),
        ...(world.legacy.length > 0 ? [world.legacyTable] : []),
      ],
      theme.entries,
      excepted,
      has(restoredRows),
    ],
  };
  const keep = inPlace
    ? `Apart from what is asked, leave the rows of the existing tables as they are, and leave a single database file (nothing pending in a \`-wal\` or \`-journal\` beside it).`
    : `\`${world.database}\` itself is evidence: read it, don't change it.`;
  const instruction = writeLetter(random.fork("letter"), {
    context: [
      random.pick([
        `\`${world.database}\` is the SQLite database of our ${theme.place}.`,
        `Our ${theme.place} keeps its records in SQLite, in \`${world.database}\`.`,
        `You will find the ${theme.place}'s database (SQLite) in \`${world.database}\`.`,
      ]),
      random.pick([
        `It has grown over the years; what is known about its conventions is written down in \`${world.notes}\`.`,
        `Read \`${world.notes}\` before you trust a column.`,
        `The conventions (deletion, what counts, dates) stand in \`${world.notes}\`.`,
      ]),
      random.pick([
        "Python's sqlite3 module is there; the sqlite3 shell may not be.",
        "There is Python with its sqlite3 module on the machine.",
      ]),
    ],
    demands: works.map(({ instance }) => instance.demand),
    conditions: [
      keep,
      random.pick([
        `Make the folder \`${world.output}\` if it is missing.`,
        `Reports go to \`${world.output}\`, as UTF-8.`,
      ]),
    ].slice(0, works.some(({ work }) => work.target === "file") ? 2 : 1),
  });
  const requirements = works.map((numbered) => requirement(numbered, world));
  requirements.push({
    id: invariant,
    statement: inPlace ? "rows that nobody asked to change are as they were" : "the database file is unchanged",
    kind: "invariant",
    weight: 1,
    artefact: world.database,
    format: "SQLite database",
    sources: [world.database],
    derivation: "none",
    negatives: [],
    check: inPlace ? "rows of the existing tables compared with the pristine database" : "bytes compared",
    shape: inPlace ? "rows-kept" : "file-kept",
  });
  const expected = {
    database: world.database,
    ...Object.fromEntries(works.map(({ id, instance }) => [id, instance.expected(bug)])),
    [invariant]: inPlace ? compared : {},
  };
  const partials: PartialSolution[] = random
    .fork("partials")
    .sample(works, 2)
    .map(({ id }) => ({
      name: `${id.toLowerCase()}-mistaken`,
      breaks: [id],
      script: script(world, level, works, id),
    }));
  const path = (absolute: string) => absolute.slice("/app/".length);
  return {
    title: `${theme.place}: ${works
      .map(({ work }) => work.shape)
      .slice(0, 2)
      .join(" and ")}`,
    instruction,
    difficulty: level,
    tags: ["sqlite", "data", theme.place.replaceAll(" ", "-")],
    packages: [],
    files: [
      { path: path(world.database), content: buildDatabase(world) },
      { path: path(world.notes), content: writeNotes(random.fork("notes"), world) },
      ...(level === 5 ? [{ path: path(world.journalPath), content: writeJournal(random.fork("journal"), world) }] : []),
    ],
    requirements,
    artefacts: [...new Set([world.database, ...works.map(({ instance }) => instance.artefact)])],
    executes: [],
    solution: script(world, skill, works, null),
    partials,
    checks: checksSource(works, invariant, inPlace),
    expected,
  };
}

const family = (bug: Bug): Family => ({
  id: "sqlite-investigation",
  title: "SQLite investigation and repair",
  draft: (random, difficulty) => draftSqlite(random, difficulty, bug),
  derivations: ["soft-deletes", "period-end"],
  withBug: (derivation) => family(derivation as Bug),
  solutionAt: (random, difficulty, skill) => draftSqlite(random, difficulty, bug, skill).solution,
});

/** Reports from, and repairs of, a SQLite database that has drifted. */
export const sqliteInvestigation: Family = family(null);
