import type { Random } from "../../../statistics/index.ts";
import type { Difficulty } from "../family.ts";
import { drawPeople, type Person } from "../words/index.ts";
import type { FilePart, Format, Hunk } from "./diff.ts";
import { copyTree, LineSource, middle, type SourceFile, type SourceTree, zoneLength } from "./tree.ts";

export type Outcome = "clean" | "fuzzy" | "rejected" | "present";
export type Placed = {
  readonly path: string;
  /** Number of the hunk in its file's part of the patch, from 1. */
  readonly number: number;
  readonly outcome: Outcome;
  /** How far from the line number in the patch its old side stands. */
  readonly offset: number;
  readonly added: number;
  readonly removed: number;
};
export type Patch = {
  readonly name: string;
  readonly author: Person;
  readonly subject: string;
  readonly strip: number;
  readonly format: Format;
  readonly parts: readonly FilePart[];
  readonly placed: readonly Placed[];
  /** Patches that must come before it. */
  readonly needs: readonly string[];
  readonly supersedes: string | null;
  readonly status: "applied" | "partly applied" | "already applied" | "superseded";
};
export type World = {
  readonly difficulty: Difficulty;
  readonly project: string;
  /** In the order in which they are to be applied; superseded ones where their names would put them. */
  readonly patches: readonly Patch[];
  readonly before: SourceTree;
  readonly after: SourceTree;
};

type Zone = { readonly path: string; readonly at: number; readonly ends: boolean };
type Change = { zone: Zone; outcome: Outcome; removed: string[]; added: string[] };

const slugs =
  "tighten-limits fix-overflow new-defaults drop-legacy safer-reset faster-scan clearer-names less-copying trim-logs guard-inputs split-quota retry-once".split(
    " ",
  );

/** How each patch of a level turns out. */
const plans: Record<
  Difficulty,
  readonly (Outcome | "add" | "delete" | "rename" | "move" | "chain" | "tail" | "old")[][]
> = {
  1: [["clean", "clean"], ["chain"], ["add"], ["delete", "clean"]],
  2: [["clean", "clean"], ["chain"], ["clean", "tail"], ["add", "clean"], ["delete"]],
  3: [["clean", "clean"], ["chain"], ["rename"], ["present", "present"], ["add", "tail"], ["clean", "clean"], ["move"]],
  4: [
    ["clean", "fuzzy"],
    ["chain"],
    ["rename"],
    ["present"],
    ["clean", "rejected"],
    ["fuzzy", "tail"],
    ["delete"],
    ["clean"],
  ],
  5: [
    ["clean", "fuzzy"],
    ["chain"],
    ["rename", "clean"],
    ["present", "present"],
    ["rejected", "clean"],
    ["fuzzy"],
    ["chain"],
    ["old"],
    ["add", "tail"],
  ],
};

export function drawWorld(random: Random, difficulty: Difficulty, bug: string | null): World {
  const project = random.pick(["beacon", "ferry", "granary", "pumphouse", "signalbox", "tollgate"]);
  const source = new LineSource(random.fork("lines"));
  const folders = random.sample(["core", "tools", "share", "net", "etc"], 2);
  const stems = random.sample(["engine", "router", "store", "codec", "panel", "meter", "relay", "valve"], 8);
  const paths = stems.slice(0, 5).map((stem, index) => `${index < 4 ? `${folders[index % 2]}/` : ""}${stem}.py`);
  /** The tree as the patches' authors saw it, changed along with `ours`. */
  const theirs: SourceTree = new Map();
  const zones: Zone[] = [];
  const tails: Zone[] = [];
  for (const [index, path] of paths.entries()) {
    const lines = source.many(zoneLength * random.integer(4, 6));
    theirs.set(path, { lines, crlf: false, endsWithNewline: !(index === 1 && difficulty >= 2) });
    for (let at = 0; at + 2 * zoneLength <= lines.length; at += zoneLength) zones.push({ path, at, ends: false });
    tails.push({ path, at: lines.length - 6, ends: true });
  }
  const doomed = `${folders[1]}/${stems[6]}.py`;
  theirs.set(doomed, { lines: source.many(random.integer(5, 9)), crlf: false, endsWithNewline: true });
  const crlf = difficulty >= 3 ? [paths[2] as string, paths[4] as string] : [];
  const ours: SourceTree = new Map(
    [...copyTree(theirs)].map(([path, file]) => [path, { ...file, crlf: crlf.includes(path) }]),
  );
  // What hunks look for, by the zone in which they will be.
  const original = copyTree(theirs);
  const free = random.shuffle(zones);
  const kept = free.splice(
    free.findIndex(({ path }) => path === paths[0]),
    1,
  )[0] as Zone;
  const changes: Change[] = [];
  const lineAt = (zone: Zone, index: number) => original.get(zone.path)?.lines[zone.at + index] as string;
  // A file that is only moved has been changed before, or the answer would lie in the tree.
  const first = plans[difficulty].some((kinds) => kinds.includes("move"))
    ? free.splice(
        free.findIndex(({ path }) => path === paths[3]),
        1,
      )[0]
    : undefined;
  const newChange = (outcome: Outcome, zone = free.pop() as Zone): Change => {
    const removed = [lineAt(zone, middle), ...(random.boolean() ? [lineAt(zone, middle + 1)] : [])];
    const change = { zone, outcome, removed, added: source.many(random.integer(1, 3)) };
    changes.push(change);
    return change;
  };

  const people = drawPeople(random.fork("people"), 3);
  const names = new Set<string>();
  const nameFor = (low: number, high: number) => {
    for (;;) {
      const name = `${String(random.integer(low, high)).padStart(4, "0")}-${random.pick(slugs)}.patch`;
      if (![...names].some((other) => other.slice(0, 4) === name.slice(0, 4))) {
        names.add(name);
        return name;
      }
    }
  };
  type Draft = { name: string; needs: string[]; supersedes: string | null; changes: Change[]; kinds: string[] };
  const drafts: Draft[] = [];
  let superseded: Draft | null = null;
  for (const kinds of plans[difficulty]) {
    const draft: Draft = { name: "", needs: [], supersedes: null, changes: [], kinds: [...kinds] };
    for (const kind of kinds) {
      if (kind === "clean" || kind === "fuzzy" || kind === "rejected" || kind === "present")
        draft.changes.push(newChange(kind, drafts.length === 0 && draft.changes.length === 0 ? first : undefined));
      if (kind === "rename") draft.changes.push(newChange("clean", kept));
      if (kind === "chain") {
        const base = drafts.find(
          ({ changes: made, name }) =>
            made.some(({ outcome }) => outcome === "clean") && !drafts.some((other) => other.needs.includes(name)),
        );
        const link = base?.changes.find(({ outcome }) => outcome === "clean");
        if (!base || !link) continue;
        draft.needs.push(base.name);
        draft.changes.push({ zone: link.zone, outcome: "clean", removed: [...link.added], added: source.many(2) });
      }
      if (kind === "old") {
        const change = newChange("clean");
        draft.changes.push(change);
        superseded = {
          name: nameFor(1, 60),
          needs: [],
          supersedes: null,
          changes: [{ ...change, added: source.many(2) }],
          kinds: [],
        };
        draft.supersedes = superseded.name;
      }
      if (kind === "tail") {
        const zone = tails[1] as Zone;
        const last = original.get(zone.path)?.lines.at(-1) as string;
        draft.changes.push({ zone, outcome: "clean", removed: [last], added: source.many(random.integer(1, 2)) });
      }
    }
    // What is needed comes later by name, so that an alphabetical order is wrong.
    draft.name = draft.needs.length > 0 ? nameFor(1, 40) : nameFor(41, 99);
    drafts.push(draft);
  }
  drift(random.fork("drift"), difficulty, ours, original, changes, source, zones);

  const before = copyTree(ours);
  const renamed = new Map<string, string>();
  const tailNewline = random.boolean();
  const author = () => random.pick(people);
  const stripFor = (kinds: readonly string[], index: number) =>
    difficulty < 2 || kinds.includes("rename") || kinds.includes("move")
      ? 1
      : index === 0
        ? 2
        : random.pick([0, 1, 1, 2]);
  const ordered = difficulty >= 5 ? byNeeds(drafts) : drafts;
  const patches = ordered.map((draft, index): Patch => {
    const parts: FilePart[] = [];
    const placed: Placed[] = [];
    const strip = stripFor(draft.kinds, index);
    const paths0 = [...new Set(draft.changes.map(({ zone }) => zone.path))];
    for (const path of paths0) {
      const here = renamed.get(path) ?? path;
      const to = draft.kinds.includes("rename") && path === paths[0] ? `${folders[1]}/${stems[5]}.py` : here;
      const mine = draft.changes.filter(({ zone }) => zone.path === path).sort((a, b) => a.zone.at - b.zone.at);
      const { hunks, rows } = applyChanges(theirs, ours, here, to, mine, tailNewline, bug);
      parts.push({ kind: to === here ? "change" : "rename", from: here, to, hunks });
      placed.push(...rows);
      if (to !== here) {
        renamed.set(path, to);
        for (const tree of [theirs, ours]) {
          tree.set(to, tree.get(here) as SourceFile);
          tree.delete(here);
        }
      }
    }
    if (draft.kinds.includes("move")) {
      const [from, to] = [renamed.get(paths[3] as string) ?? (paths[3] as string), `${stems[7]}-${folders[0]}.py`];
      parts.push({ kind: "rename", from, to, hunks: [] });
      renamed.set(paths[3] as string, to);
      for (const tree of [theirs, ours]) {
        tree.set(to, tree.get(from) as SourceFile);
        tree.delete(from);
      }
    }
    if (draft.kinds.includes("add")) {
      const path = `${folders[0]}/new-${stems[7]}.py`;
      const lines = source.many(random.integer(4, 8));
      parts.push({ kind: "add", from: path, to: path, hunks: [wholeFile([], lines)] });
      placed.push({ path, number: 1, outcome: "clean", offset: 0, added: lines.length, removed: 0 });
      for (const tree of [theirs, ours]) tree.set(path, { lines: [...lines], crlf: false, endsWithNewline: true });
    }
    if (draft.kinds.includes("delete")) {
      const { lines } = theirs.get(doomed) as SourceFile;
      parts.push({ kind: "delete", from: doomed, to: doomed, hunks: [wholeFile(lines, [])] });
      placed.push({ path: doomed, number: 1, outcome: "clean", offset: 0, added: 0, removed: lines.length });
      for (const tree of [theirs, ours]) tree.delete(doomed);
    }
    const rejected = placed.some(({ outcome }) => outcome === "rejected");
    const present = placed.length > 0 && placed.every(({ outcome }) => outcome === "present");
    return {
      name: draft.name,
      author: author(),
      subject: draft.name.slice(5, -6).replaceAll("-", " "),
      strip,
      format:
        difficulty >= 2 && !parts.some(({ kind }) => kind !== "change") && (index === 1 || random.boolean(0.25))
          ? "context"
          : "unified",
      parts,
      placed,
      needs: draft.needs,
      supersedes: draft.supersedes,
      status: rejected ? "partly applied" : present ? "already applied" : "applied",
    };
  });
  if (superseded !== null) patches.push(oldPatch(superseded, original, author()));
  return { difficulty, project, patches, before, after: ours };
}

/** What is needed first; otherwise by name. */
function byNeeds<T extends { name: string; needs: string[] }>(drafts: readonly T[]): T[] {
  const left = [...drafts].sort((a, b) => (a.name < b.name ? -1 : 1));
  const done: T[] = [];
  while (left.length > 0) {
    const index = left.findIndex(({ needs }) => needs.every((name) => done.some((one) => one.name === name)));
    done.push(...left.splice(index, 1));
  }
  return done;
}

/** Local changes to our tree, made before anybody applies a patch. */
function drift(
  random: Random,
  difficulty: Difficulty,
  ours: SourceTree,
  original: SourceTree,
  changes: readonly Change[],
  source: LineSource,
  zones: readonly Zone[],
): void {
  const replace = (path: string, old: string, fresh: readonly string[]) => {
    const { lines } = ours.get(path) as SourceFile;
    lines.splice(lines.indexOf(old), 1, ...fresh);
  };
  const lineAt = ({ path, at }: Zone, index: number) => original.get(path)?.lines[at + index] as string;
  for (const { zone, outcome, removed, added } of changes) {
    const first = removed[0] as string;
    if (outcome === "present") {
      for (const line of removed.slice(1)) replace(zone.path, line, []);
      replace(zone.path, first, added);
    }
    if (outcome === "rejected") replace(zone.path, first, source.many(1));
    if (outcome === "fuzzy") {
      const edge = middle - 3;
      replace(zone.path, lineAt(zone, edge), source.many(1));
      if (random.boolean()) replace(zone.path, lineAt(zone, edge + 1), source.many(1));
      if (random.boolean()) replace(zone.path, lineAt(zone, middle + removed.length + 2), source.many(1));
    }
  }
  if (difficulty >= 2)
    for (const path of new Set(zones.map((zone) => zone.path))) {
      const first = lineAt({ path, at: 0, ends: false }, 0);
      replace(path, first, [...source.many(random.integer(1, 6)), first]);
      const later = random.pick(zones.filter((zone) => zone.path === path && zone.at > 0));
      if (random.boolean(0.6))
        replace(path, lineAt(later, 0), [lineAt(later, 0), ...source.many(random.integer(1, 4))]);
    }
}

function applyChanges(
  theirs: SourceTree,
  ours: SourceTree,
  path: string,
  to: string,
  changes: readonly Change[],
  tailNewline: boolean,
  bug: string | null,
): { hunks: Hunk[]; rows: Placed[] } {
  const [author, mine] = [theirs.get(path) as SourceFile, ours.get(path) as SourceFile];
  const [authorBefore, mineBefore] = [[...author.lines], [...mine.lines]];
  const hunks: Hunk[] = [];
  const rows: Placed[] = [];
  let shift = 0;
  for (const { zone, outcome, removed, added } of changes) {
    const at = authorBefore.indexOf(removed[0] as string);
    const before = authorBefore.slice(Math.max(0, at - 3), at);
    const after = authorBefore.slice(at + removed.length, at + removed.length + 3);
    const oldBare = zone.ends && !author.endsWithNewline;
    const newBare = zone.ends && !author.endsWithNewline && !tailNewline;
    hunks.push({
      oldStart: at - before.length + 1,
      newStart: at - before.length + 1 + shift,
      before,
      removed,
      added,
      after,
      oldBare,
      newBare,
    });
    shift += added.length - removed.length;
    author.lines.splice(author.lines.indexOf(removed[0] as string), removed.length, ...added);
    const applied = outcome === "clean" || (outcome === "fuzzy" && bug !== "fuzz");
    const found = mineBefore.indexOf(removed[0] as string);
    if (applied) mine.lines.splice(mine.lines.indexOf(removed[0] as string), removed.length, ...added);
    if (outcome === "present" && bug === "already-applied") mine.lines.push(...added);
    if (outcome === "rejected" && bug === "rejects") mine.lines.push(...added);
    if (zone.ends && oldBare !== newBare) {
      author.endsWithNewline = true;
      if (applied) mine.endsWithNewline = true;
    }
    rows.push({
      path: to,
      number: hunks.length,
      outcome,
      offset: applied ? found - at : 0,
      added: added.length,
      removed: removed.length,
    });
  }
  return { hunks, rows };
}

function wholeFile(removed: readonly string[], added: readonly string[]): Hunk {
  const sides = { before: [], removed, added, after: [], oldBare: false, newBare: false };
  return { oldStart: 1, newStart: 1, ...sides };
}

/** A patch that a later one stands in for, made against the tree as it once was. */
function oldPatch(draft: { name: string; changes: readonly Change[] }, original: SourceTree, author: Person): Patch {
  const { zone, removed, added } = draft.changes[0] as Change;
  const { lines } = original.get(zone.path) as SourceFile;
  const at = lines.indexOf(removed[0] as string);
  const hunk: Hunk = {
    oldStart: at - 2,
    newStart: at - 2,
    before: lines.slice(at - 3, at),
    removed,
    added,
    after: lines.slice(at + removed.length, at + removed.length + 3),
    oldBare: false,
    newBare: false,
  };
  return {
    name: draft.name,
    author,
    subject: draft.name.slice(5, -6).replaceAll("-", " "),
    strip: 1,
    format: "unified",
    parts: [{ kind: "change", from: zone.path, to: zone.path, hunks: [hunk] }],
    placed: [],
    needs: [],
    supersedes: null,
    status: "superseded",
  };
}
