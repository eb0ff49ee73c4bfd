import type { Random } from "../../../statistics/index.ts";
import type { Difficulty } from "../family.ts";
import { ObjectStore, type Signature, type Tree } from "./objects/index.ts";
import { type Contributor, drawContributors, mailmapText } from "./people.ts";

export type Commit = {
  readonly id: string;
  readonly parents: readonly string[];
  readonly files: Tree;
  readonly author: Contributor;
  readonly coAuthor: Contributor | null;
  readonly seconds: number;
  readonly subject: string;
  readonly copyOf: string | null;
  readonly reverts: string | null;
};
export type World = {
  readonly difficulty: Difficulty;
  readonly name: string;
  readonly store: ObjectStore;
  readonly commits: ReadonlyMap<string, Commit>;
  readonly people: readonly Contributor[];
  /** First-parent history of the trunk, oldest first. */
  readonly trunk: readonly Commit[];
  readonly trunkName: string;
  readonly branches: Readonly<Record<string, string>>;
  readonly tags: readonly { readonly name: string; readonly commit: string; readonly object: string }[];
  readonly deleted: { readonly path: string; readonly content: string };
  readonly renames: readonly (readonly [string, string, string])[];
  readonly setting: { readonly path: string; readonly key: string; readonly least: number; readonly broken: string };
  readonly secret: { readonly mark: string; readonly introduced: string; readonly removed: string };
  readonly lost: {
    readonly topic: string;
    readonly path: string;
    readonly content: string;
    readonly deletedBranch: string;
  };
  readonly stash: { readonly branch: string; readonly path: string; readonly content: string };
  /** A commit of the trunk that can't be read from the repository. */
  readonly damaged: string;
};

const nouns =
  "queue retry parser cache router ledger mirror sensor gauge socket buffer journal digest filter planner beacon".split(
    " ",
  );
const verbs = "tighten document speed-up simplify extend rework guard trace measure unify".split(" ");
const phrases =
  "keeps the last value;drops what is stale;waits for the first answer;never blocks the caller;logs once an hour;ignores empty input;falls back to the default;rounds towards zero;is flushed on exit;has an upper bound".split(
    ";",
  );

/** Draws a repository's whole history, with what was deleted, renamed, leaked, lost and stashed in it. */
export function drawWorld(random: Random, difficulty: Difficulty): World {
  const name = random.pick(["harbour", "gatekeeper", "weighbridge", "tidal", "switchyard", "almanac"]);
  const people = drawContributors(random.fork("people"), `${name}.example`, difficulty >= 2);
  const store = new ObjectStore();
  const commits = new Map<string, Commit>();
  let clock = Date.UTC(2024, random.integer(0, 11), random.integer(1, 28)) / 1000;
  let serial = random.integer(100, 400);
  const line = () => `${random.pick(nouns)} ${serial++} ${random.pick(phrases)}`;
  const text = (count: number) => `${Array.from({ length: count }, line).join("\n")}\n`;
  const subjects = () => `${random.pick(verbs)} ${random.pick(nouns)} ${serial++}`;

  type Extra = { coAuthor?: Contributor; copyOf?: string; reverts?: string; body?: string; author?: Contributor };
  const commit = (files: Tree, parents: readonly string[], subject: string, extra: Extra = {}): Commit => {
    clock += random.integer(600, 90_000);
    const author = extra.author ?? random.pick(people);
    const used = author.aliases.length > 0 && random.boolean(0.5) ? random.pick(author.aliases) : author;
    const zone = random.pick(["+0000", "+0100", "+0200", "-0500"]);
    const signature: Signature = { name: used.name, email: used.email, seconds: clock, zone };
    const copied = extra.copyOf ? commits.get(extra.copyOf) : undefined;
    const coAuthor =
      extra.coAuthor ??
      (difficulty >= 3 && parents.length === 1 && !copied && random.boolean(0.2)
        ? random.pick(people.filter((one) => one !== author))
        : null);
    const trailers = [
      ...(coAuthor ? [`Co-authored-by: ${coAuthor.name} <${coAuthor.email}>`] : []),
      ...(extra.copyOf ? [`(cherry picked from commit ${extra.copyOf})`] : []),
    ];
    const body = [...(extra.body ? [extra.body] : []), ...(trailers.length > 0 ? [trailers.join("\n")] : [])];
    const id = store.commit(
      files,
      parents,
      copied ? { ...signature, seconds: copied.seconds } : signature,
      signature,
      [subject, ...body].join("\n\n"),
    );
    const made: Commit = {
      id,
      parents,
      files,
      author,
      coAuthor,
      seconds: clock,
      subject,
      copyOf: extra.copyOf ?? null,
      reverts: extra.reverts ?? null,
    };
    commits.set(id, made);
    return made;
  };

  const folders = random.sample(["src", "docs", "ops", "lib"], 2) as [string, string];
  const stems = random.sample(nouns, 9);
  const paths = stems.slice(0, 7).map((stem, index) => `${index < 6 ? `${folders[index % 2]}/` : ""}${stem}.txt`);
  const [doomed, wandering, leaky] = paths as [string, string, string];
  const settingsPath = random.pick(["settings.conf", "ops/limits.conf", "defaults.conf"]);
  const key = random.pick(["timeout", "workers", "window", "retries"]);
  const least = random.integer(20, 60);
  const settings = (value: number) =>
    `# ${name}\n${key} = ${value}\nlevel = ${random.integer(1, 9)}\nserial = ${serial++}\n`;
  const good = () => least + random.integer(0, 30);
  const bad = () => random.integer(2, least - 1);
  const files = new Map<string, string>(paths.map((path) => [path, text(random.integer(3, 6))]));
  files.set(settingsPath, settings(good()));
  if (difficulty >= 2) files.set(".mailmap", mailmapText(people));
  files.set("README.md", `# ${name}\n\n${text(2)}`);

  const trunk: Commit[] = [commit(new Map(files), [], "import")];
  const tip = () => trunk.at(-1) as Commit;
  const push = (subject: string, extra?: Extra, parents: readonly string[] = []) => {
    const made = commit(new Map(files), [tip().id, ...parents], subject, extra);
    trunk.push(made);
    return made;
  };
  const edit = (path: string) => files.set(path, (files.get(path) ?? "") + text(1));
  const editable = () => paths.slice(3, 6).filter((path) => files.has(path));
  const ordinary = () => {
    edit(random.pick(editable()));
    return push(subjects());
  };

  const trunkName = random.pick(["main", "main", "master", "trunk"]);
  const branches: Record<string, string> = {};
  const tags: { name: string; commit: string; object: string }[] = [];
  const branch = (from: Commit, path: string, count: number): Commit[] => {
    const own = new Map(from.files);
    const made: Commit[] = [];
    for (let index = 0; index < count; index++) {
      own.set(path, (own.get(path) ?? "") + text(2));
      made.push(commit(new Map(own), [(made.at(-1) ?? from).id], subjects()));
    }
    return made;
  };
  const release = (tag: string, annotated: boolean) => {
    const person = random.pick(people);
    const at = tip().id;
    const signature = { name: person.name, email: person.email, seconds: clock + 60, zone: "+0000" };
    tags.push({ name: tag, commit: at, object: annotated ? store.tag(tag, at, signature, `release ${tag}`) : at });
  };
  const merge = (topic: string, keep: boolean) => {
    const path = `${folders[0]}/${topic}.txt`;
    const from = tip();
    const made = branch(from, path, random.integer(1, 3));
    const last = made.at(-1) as Commit;
    if (random.boolean(0.6)) ordinary();
    files.set(path, last.files.get(path) as string);
    const joined = push(`Merge branch '${topic}'`, {}, [last.id]);
    if (keep) branches[topic] = last.id;
    return joined;
  };
  const revert = (target: Commit) => {
    const before = commits.get(target.parents[0] as string) as Commit;
    for (const path of new Set([...target.files.keys(), ...before.files.keys()]))
      if (target.files.get(path) !== before.files.get(path)) {
        const content = before.files.get(path);
        if (content === undefined) files.delete(path);
        else files.set(path, content);
      }
    return push(`Revert "${target.subject}"`, { reverts: target.id, body: `This reverts commit ${target.id}.` });
  };
  const setTo = (value: number) => {
    files.set(settingsPath, settings(value));
    return push(random.pick([`adjust ${key}`, `tune ${key}`, `${key}: new default`, "settings"]));
  };

  // What happened, in order; the draws between decide what surrounds it.
  const quiet = () => {
    for (let count = random.integer(0, 1 + (difficulty >> 1)); count > 0; count--) ordinary();
  };
  edit(doomed);
  push(subjects());
  quiet();
  release("v1.0", true);
  const moved = (from: string, to: string) => {
    files.set(to, files.get(from) as string);
    files.delete(from);
    return [from, to, push(random.pick([`move ${from}`, "tidy up names", `rename to ${to}`])).id] as const;
  };
  const names = [wandering, `${folders[1]}/${stems[7]}.txt`, `${stems[8]}-notes.txt`] as const;
  const renames = [moved(names[0], names[1])];
  setTo(bad());
  quiet();
  setTo(good());
  const mark = random.pick(["tok_live_", "sk_live_", "prod-key-"]);
  files.set(leaky, `${files.get(leaky)}password = ${mark.replace(/live|prod/, "test")}${random.word().toString(16)}\n`);
  quiet();
  files.set(leaky, `${files.get(leaky)}password = ${mark}${random.word().toString(16)}${random.word().toString(16)}\n`);
  const introduced = push(random.pick(["try the live system", "quick fix for the demo", "get it running"])).id;
  quiet();
  const open = random.sample(["feature/export", "spike/async", "hotfix/locale", "feature/audit", "spike/cache"], 3);
  const leaking = branch(tip(), `${folders[0]}/open-${serial}.txt`, random.integer(1, 3));
  branches[open[0] as string] = (leaking.at(-1) as Commit).id;
  const stashBase = tip();
  ordinary();
  files.set(leaky, (files.get(leaky) as string).replace(/^password = (?!.*test).*\n/m, ""));
  const removed = push("housekeeping").id;
  release("v1.1", random.boolean());
  merge("import-formats", random.boolean());
  edit(names[1]);
  push(subjects());
  renames.push(moved(names[1], names[2]));
  edit("README.md");
  const undone = push(subjects());
  quiet();
  const undoing = revert(undone);
  edit(paths[6] as string);
  const kept = push(subjects());
  revert(undoing);
  edit(doomed);
  push(subjects());
  quiet();
  const deleted = { path: doomed, content: files.get(doomed) as string };
  files.delete(doomed);
  push(random.pick(["drop what nobody reads", "remove old notes", "clean up"]));
  const lostBase = tip();
  release("v1.2", true);
  revert(kept);
  merge("status-page", true);
  const broken = setTo(bad()).id;
  const side = branch(tip(), `${folders[1]}/side-${serial}.txt`, random.integer(2, 4));
  branches[open[1] as string] = (side.at(-1) as Commit).id;
  quiet();
  if (difficulty >= 4)
    for (const source of side.slice(-2)) {
      const before = commits.get(source.parents[0] as string) as Commit;
      for (const [path, content] of source.files) if (before.files.get(path) !== content) files.set(path, content);
      push(source.subject, { author: source.author, copyOf: source.id });
    }
  if (difficulty >= 3) {
    edit(random.pick(editable()));
    push(subjects(), { author: people[3] as Contributor, coAuthor: people[4] as Contributor });
  }
  files.set(settingsPath, settings(bad()));
  push("settings once more");
  if (random.boolean(0.7)) release("v2.0", random.boolean());
  quiet();
  ordinary();

  // Nothing refers to what follows: a deleted branch with a commit that was amended, and two dropped stashes.
  const topic = random.pick(nouns);
  const lostPath = `${folders[0]}/${topic}-lost.txt`;
  const first = new Map(lostBase.files).set(lostPath, text(3));
  const draft = commit(first, [lostBase.id], `${topic}: first draft`);
  const amended = new Map(first).set(lostPath, `${first.get(lostPath)}${text(2)}`);
  commit(amended, [draft.id], `${topic}: second draft`);
  const final = new Map(first).set(lostPath, `${first.get(lostPath)}${text(3)}`);
  commit(final, [draft.id], `${topic}: second draft`);
  const lost = { topic, path: lostPath, content: final.get(lostPath) as string, deletedBranch: `wip/${topic}` };
  const stashPath = random.pick(paths.slice(3));
  const stashOn = (base: Commit, on: string) => {
    const staged = new Map(base.files).set(stashPath, `${base.files.get(stashPath)}${text(1)}`);
    const about = `on ${on}: ${base.id.slice(0, 7)} ${base.subject}`;
    const author = people[0] as Contributor;
    const index = commit(staged, [base.id], `index ${about}`, { author });
    const work = new Map(staged).set(stashPath, `${staged.get(stashPath)}${text(1)}`);
    commit(work, [base.id, index.id], `WIP ${about}`, { author });
    return work.get(stashPath) as string;
  };
  const stashBranch = open[2] as string;
  const stashes = difficulty >= 4 ? [stashOn(stashBase, stashBranch), stashOn(lostBase, trunkName)] : [""];
  branches[trunkName] = tip().id;
  return {
    difficulty,
    name,
    store,
    commits,
    people,
    trunk,
    trunkName,
    branches,
    tags,
    deleted,
    renames,
    setting: { path: settingsPath, key, least, broken },
    secret: { mark, introduced, removed },
    lost,
    stash: { branch: stashBranch, path: stashPath, content: stashes[0] as string },
    damaged: (trunk[trunk.length >> 1] as Commit).id,
  };
}
