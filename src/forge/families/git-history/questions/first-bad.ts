import type { Question } from "../../composition/index.ts";
import { compareLines, type Setting, sourcesOf } from "./setting.ts";

/** Since when a setting has been wrong. */
export function firstBad(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const { setting: entry, trunkName, commits } = facts.world;
  const path = `${folder}/${random.pick(["culprit", "first-bad", "since"])}.txt`;
  const solve = (index: string) => `
value = lambda commit: int(re.search(r"^${entry.key} = (\\d+)$", text(commit, "${entry.path}"), re.M)[1])
below = [value(commit) < ${entry.least} for commit in line]
found = line[${index}]
Path("${path}").write_text(f"{found} {commits[found]['subject']}\\n")`;
  return {
    key: "first_bad",
    shape: "first-bad-commit",
    artefact: path,
    format: "one text line",
    statement: "The commit since which the setting has been too low is named",
    demand: `\`${entry.key}\` in \`${entry.path}\` must be at least ${entry.least}, and on \`${trunkName}\` it no longer is. Find the commit on the first-parent line of \`${trunkName}\` since which it has been too low without a break, up to the tip, and write its full hash, a blank and its subject to \`${path}\`.`,
    derivation: "the setting in each tree of the trunk",
    sources: sourcesOf(setting),
    expected: [`${entry.broken} ${(commits.get(entry.broken) as { subject: string }).subject}`],
    solve: solve("len(below) - next(age for age, low in enumerate(reversed(below)) if not low)"),
    mistake: { name: "the first time it ever was", solve: solve("below.index(True)") },
    check: compareLines(path),
  };
}
