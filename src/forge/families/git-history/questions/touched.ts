import type { Question } from "../../composition/index.ts";
import { byText } from "../facts.ts";
import { compareTable, type Setting, sourcesOf, writeTable } from "./setting.ts";

/** How often files were changed. */
export function touched(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const { trunk, trunkName } = facts.world;
  const path = `${folder}/${random.pick(["hot-spots", "churn", "touched"])}.csv`;
  const columns = random.pick([
    ["path", "commits"],
    ["file", "changes"],
  ]);
  const rows = [...(trunk.at(-1)?.files.keys() ?? [])]
    .map((name) => {
      const versions = trunk.map(({ files }) => files.get(name));
      return [name, versions.filter((text, index) => text !== versions[index - 1]).length] as const;
    })
    .sort(([a, m], [b, n]) => n - m || byText(a, b))
    .map(([name, count]) => [name, String(count)]);
  const solve = (first: string) => `
counts = {}
for path in files(trunk):
    versions = [files(commit).get(path) for commit in line]
    counts[path] = ${first} + sum(a != b for a, b in zip(versions, versions[1:]))
rows = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
${writeTable(path, columns)}`;
  return {
    key: "touched",
    shape: "change-frequency-csv",
    artefact: path,
    format: "CSV with header",
    statement: "For each file at the trunk's tip the commits that touched it are counted",
    demand: `\`${path}\`, header \`${columns.join(",")}\`: for each path at the tip of \`${trunkName}\` how many commits on the first-parent line added, changed or removed it under just that path, each compared with its first parent (the root commit adds all that it has). Highest count first, equal ones by path.`,
    derivation: "neighbouring trees on the trunk compared",
    ordering: "by count descending, then by path",
    sources: sourcesOf(setting),
    expected: { columns, rows },
    solve: solve("(versions[0] is not None)"),
    mistake: { name: "one too many each", solve: solve("1 + (versions[0] is not None)") },
    check: compareTable(path),
  };
}
