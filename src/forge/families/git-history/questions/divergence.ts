import type { Question } from "../../composition/index.ts";
import { byText } from "../facts.ts";
import { compareTable, type Setting, sourcesOf, writeTable } from "./setting.ts";

/** How far the branches are from the trunk. */
export function divergence(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const { branches, trunkName } = facts.world;
  const path = `${folder}/${random.pick(["branches", "divergence", "open-work"])}.csv`;
  const columns = random.pick([
    ["branch", "ahead", "behind"],
    ["name", "only_there", "missing"],
  ]);
  const trunk = facts.reachable([branches[trunkName] as string]);
  const rows = Object.keys(branches)
    .filter((name) => name !== trunkName)
    .sort(byText)
    .map((name) => {
      const own = facts.reachable([branches[name] as string]);
      const ahead = [...own].filter((id) => !trunk.has(id)).length;
      return [name, String(ahead), String(trunk.size - (own.size - ahead))];
    });
  const solve = (counts: string) => `
rows = []
for name, commit in branches.items():
    if name != "${trunkName}":
        own, base = reachable(commit), reachable(trunk)
        rows.append([name, ${counts}])
${writeTable(path, columns)}`;
  return {
    key: "divergence",
    shape: "branch-divergence-csv",
    artefact: path,
    format: "CSV with header",
    statement: "For each branch it is said how far it is ahead of the trunk and behind it",
    demand: `\`${path}\`, header \`${columns.join(",")}\`, sorted by name: for each branch other than \`${trunkName}\` the number of commits that it has and \`${trunkName}\` lacks, and of those that \`${trunkName}\` has and it lacks.`,
    derivation: "differences of the sets of reachable commits",
    ordering: "by name",
    sources: sourcesOf(setting),
    expected: { columns, rows },
    solve: solve("len(own - base), len(base - own)"),
    mistake: { name: "ahead and behind mixed up", solve: solve("len(base - own), len(own - base)") },
    check: compareTable(path),
  };
}
