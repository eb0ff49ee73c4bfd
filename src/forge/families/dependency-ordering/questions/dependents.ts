import type { Question } from "../../composition/index.ts";
import { compareTable, type Setting, sourcesOf, writeTable } from "./setting.ts";

/** How much hangs on each package. */
export function dependents(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const path = `${folder}/${random.pick(["dependents", "impact", "used-by"])}.csv`;
  const columns = random.pick([
    ["package", "direct", "total"],
    ["name", "directly", "altogether"],
  ]);
  const below = new Map<string, Set<string>>();
  for (const { name } of [...facts.world.packages].reverse()) {
    const one = facts.selection.chosen.get(name);
    if (one)
      below.set(name, new Set([...one.needs.keys()].flatMap((need) => [need, ...(below.get(need) as Set<string>)])));
  }
  const count = (of: (name: string) => boolean) => String(facts.selected.filter(({ name }) => of(name)).length);
  const rows = facts.selected.map(({ name }) => [
    name,
    count((other) => facts.selection.chosen.get(other)?.needs.has(name) ?? false),
    count((other) => below.get(other)?.has(name) ?? false),
  ]);
  const solve = (total: string) => `
def above(name):
    found, queue = set(), [name]
    while queue:
        here = queue.pop()
        for other in selected:
            if here in needs[other] and other not in found:
                found.add(other)
                queue.append(other)
    return found


rows = [[name, sum(name in needs[other] for other in selected), ${total}] for name in selected]
${writeTable(path, columns)}`;
  return {
    key: "dependents",
    shape: "reverse-dependencies-csv",
    artefact: path,
    format: "CSV with header",
    statement: "For each selected package its direct and indirect dependents are counted",
    demand: `\`${path}\`, header \`${columns.join(",")}\`, sorted by name: for each selected package how many selected packages need it directly, and how many directly or through others (each counted once).`,
    derivation: "reverse reachability over the needs of the selected releases",
    ordering: "by name",
    sources: sourcesOf(setting),
    expected: { columns, rows },
    solve: solve("len(above(name))"),
    mistake: { name: "counts the package itself", solve: solve("len(above(name)) + 1") },
    check: compareTable(path),
  };
}
