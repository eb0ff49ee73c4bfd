import type { Question } from "../../composition/index.ts";
import { compareLines, type Setting, sourcesOf } from "./setting.ts";

/** What came between two releases. */
export function changelog(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const { tags, commits } = facts.world;
  const path = `${folder}/${random.pick(["CHANGES", "changelog", "between"])}.txt`;
  const [older, newer] = random.pick([
    [tags[0], tags[1]],
    [tags[1], tags[2]],
    [tags[0], tags[2]],
  ]) as [(typeof tags)[number], (typeof tags)[number]];
  const before = facts.reachable([older.commit]);
  const found = [...facts.reachable([newer.commit])]
    .filter((id) => !before.has(id))
    .map((id) => commits.get(id))
    .filter((commit) => commit !== undefined)
    .filter(({ parents }) => parents.length === 1)
    .sort((a, b) => a.seconds - b.seconds);
  const solve = (ages: string) => `
found = [name for name in reachable(tags["${newer.name}"][0]) - reachable(tags["${older.name}"][0]) if len(commits[name]["parents"]) < 2]
found.sort(key=lambda name: commits[name]["seconds"]${ages})
Path("${path}").write_text("".join(f"{name[:10]} {commits[name]['subject']}\\n" for name in found))`;
  return {
    key: "changelog",
    shape: "changelog-between-tags",
    artefact: path,
    format: "text lines",
    statement: "The commits between two releases are listed in the order in which they were made",
    demand: `\`${path}\`: the commits that \`${newer.name}\` reaches and \`${older.name}\` doesn't, merges left out, by committer date, oldest first; on each line the first ten digits of the hash, a blank and the subject.`,
    derivation: "difference of the sets of reachable commits",
    ordering: "by committer date",
    sources: sourcesOf(setting),
    expected: found.map(({ id, subject }) => `${id.slice(0, 10)} ${subject}`),
    solve: solve(""),
    mistake: { name: "newest first", solve: solve(", reverse=True") },
    check: compareLines(path),
  };
}
