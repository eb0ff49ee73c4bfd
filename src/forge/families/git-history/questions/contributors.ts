import type { Question } from "../../composition/index.ts";
import { compareTable, type Setting, sourcesOf, writeTable } from "./setting.ts";

/** Who did how much. */
export function contributors(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const { difficulty } = facts.world;
  const path = `${folder}/${random.pick(["contributors", "authors", "credits"])}.csv`;
  const columns = random.pick([
    ["name", "email", "commits"],
    ["contributor", "address", "count"],
  ]);
  const rules = [
    "Count the commits that any branch or tag reaches, each once, by author; merge commits don't count.",
    ...(difficulty >= 2
      ? [
          "Names and addresses are the proper ones by the `.mailmap` at the tip of the trunk (it maps as `gitmailmap` says), so that nobody is listed twice.",
        ]
      : []),
    ...(difficulty >= 3 ? ["A `Co-authored-by` trailer counts the commit for that person as well."] : []),
    ...(difficulty >= 4
      ? ["A commit that says `(cherry picked from commit …)` is a copy and isn't counted for anybody."]
      : []),
  ];
  const solve = (count: string) => `
rows = [[name, address, ${count}] for (name, address), count in sorted(people.items(), key=lambda item: (-item[1], item[0][0]))]
${writeTable(path, columns)}`;
  return {
    key: "contributors",
    shape: "contributor-counts-csv",
    artefact: path,
    format: "CSV with header",
    weight: 2,
    statement: "Contributors are listed with the number of their commits",
    demand: `\`${path}\`, header \`${columns.join(",")}\`: who contributed how many commits. ${rules.join(" ")} Most commits first, equal ones by name.`,
    derivation: "authors of the reachable commits",
    ordering: "by count descending, then by name",
    sources: sourcesOf(setting),
    negatives: ["commits that no reference reaches"],
    expected: { columns, rows: facts.contributors },
    solve: solve("count"),
    mistake: { name: "everyone counted once more", solve: solve("count + 1") },
    check: compareTable(path),
  };
}
