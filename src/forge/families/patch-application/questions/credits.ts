import type { Question } from "../../composition/index.ts";
import { appliedOf, byText, compareTable, type Setting, sourcesOf, writeTable } from "./setting.ts";

/** Whose patches they are. */
export function credits(setting: Setting): Question {
  const { random, folder } = setting;
  const path = `${folder}/${random.pick(["credits", "authors", "thanks"])}.csv`;
  const columns = random.pick([
    ["author", "patches"],
    ["name", "count"],
  ]);
  const counts = new Map<string, number>();
  for (const { author } of appliedOf(setting)) counts.set(author.name, (counts.get(author.name) ?? 0) + 1);
  const rows = [...counts]
    .sort(([a, m], [b, n]) => n - m || byText(a, b))
    .map(([name, count]) => [name, String(count)]);
  const solve = (names: string) => `
counts = {}
for name in ${names}:
    author = re.search(r"^From: (.*) <", (QUEUE / name).read_text(), re.M)[1]
    counts[author] = counts.get(author, 0) + 1
rows = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
${writeTable(path, columns)}`;
  return {
    key: "credits",
    shape: "patch-credits-csv",
    artefact: path,
    format: "CSV with header",
    statement: "The authors of the applied patches are counted",
    demand: `\`${path}\`, header \`${columns.join(",")}\`: whose patches changed something in the tree (the name in \`From:\`, without the address), and how many; most first, equal ones by name.`,
    derivation: "headers of the patches that changed something",
    ordering: "by count descending, then by name",
    sources: sourcesOf(setting),
    expected: { columns, rows },
    solve: solve("applied"),
    mistake: { name: "one patch left out", solve: solve("applied[1:]") },
    check: compareTable(path),
  };
}
