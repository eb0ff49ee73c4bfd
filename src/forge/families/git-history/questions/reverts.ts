import type { Question } from "../../composition/index.ts";
import { compareTable, type Setting, sourcesOf, writeTable } from "./setting.ts";

/** What was taken back and stayed so. */
export function reverts(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const { trunk, trunkName } = facts.world;
  const path = `${folder}/${random.pick(["reverts", "taken-back"])}.csv`;
  const columns = random.pick([
    ["reverted", "by"],
    ["commit", "reverted_by"],
  ]);
  const again = new Set(trunk.map(({ reverts }) => reverts));
  const rows = trunk
    .flatMap(({ id, reverts }) => (reverts === null || again.has(id) ? [] : [[reverts, id]]))
    .filter(([target]) => trunk.every((one) => one.id !== target || one.reverts === null));
  const solve = (condition: string) => `
undone = {}
for commit in line:
    match = re.search(r"This reverts commit (\\w+)\\.", commits[commit]["message"])
    if match:
        undone[commit] = match[1]
rows = [[target, commit] for commit, target in undone.items() if ${condition}]
${writeTable(path, columns)}`;
  return {
    key: "reverts",
    shape: "reverts-in-force",
    artefact: path,
    format: "CSV with header",
    statement: "The commits that are still reverted are listed",
    demand: `\`${path}\`, header \`${columns.join(",")}\`: the changes on the first-parent line of \`${trunkName}\` that were reverted and stayed so, in the order of the reverts, oldest first; full hashes of the change and of the commit that reverts it. Where the revert was itself reverted, neither is listed.`,
    derivation: "the messages of reverting commits",
    ordering: "reverts oldest first",
    sources: sourcesOf(setting),
    expected: { columns, rows },
    solve: solve("commit not in undone.values() and target not in undone"),
    mistake: { name: "every revert", solve: solve("True") },
    check: compareTable(path),
  };
}
