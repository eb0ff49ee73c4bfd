import type { Question } from "../../composition/index.ts";
import type { Placed } from "../world.ts";
import { appliedOf, compareTable, type Setting, sourcesOf, writeTable } from "./setting.ts";

/** How much was changed. */
export function diffstat(setting: Setting): Question {
  const { random, folder } = setting;
  const path = `${folder}/${random.pick(["diffstat", "volume", "lines"])}.csv`;
  const columns = random.pick([
    ["patch", "added", "removed"],
    ["name", "plus", "minus"],
  ]);
  const total = (rows: readonly Placed[], key: "added" | "removed") =>
    String(rows.filter(({ outcome }) => outcome !== "rejected").reduce((sum, row) => sum + row[key], 0));
  const rows = appliedOf(setting).map(({ name, placed }) => [name, total(placed, "added"), total(placed, "removed")]);
  const solve = (value: string) => `
rows = []
for name in applied:
    own = [hunk for hunk in hunks if hunk["patch"] == name and hunk["offset"] is not None]
    rows.append([name, ${value}])
${writeTable(path, columns)}`;
  return {
    key: "diffstat",
    shape: "diffstat-csv",
    artefact: path,
    format: "CSV with header",
    statement: "For each patch that changed something the added and removed lines are counted",
    demand: `\`${path}\`, header \`${columns.join(",")}\`, in the order of application: for each patch that changed something in the tree how many lines its hunks added and removed (a changed line counts as one of each${setting.world.difficulty >= 4 ? "; rejected hunks don't count" : ""}${setting.world.difficulty >= 3 ? "; a rename by itself is no line" : ""}).`,
    derivation: "added and removed lines of the hunks that were applied",
    ordering: "as applied",
    sources: sourcesOf(setting),
    expected: { columns, rows },
    solve: solve('sum(hunk["added"] for hunk in own), sum(hunk["removed"] for hunk in own)'),
    mistake: {
      name: "the difference only",
      solve: solve('sum(hunk["added"] - hunk["removed"] for hunk in own), 0'),
    },
    check: compareTable(path),
  };
}
