import type { Question } from "../../composition/index.ts";
import { appliedOf, byText, compareTable, type Setting, sourcesOf, writeTable } from "./setting.ts";

/** How far off the line numbers were. */
export function offsets(setting: Setting): Question {
  const { random, world, folder } = setting;
  const path = `${folder}/${random.pick(["offsets", "drift", "moved-hunks"])}.csv`;
  const columns = random.pick([
    ["patch", "path", "hunk", "offset"],
    ["name", "file", "number", "lines_off"],
  ]);
  const rows = appliedOf(setting).flatMap(({ name, placed }) =>
    placed
      .filter(({ outcome, offset }) => outcome !== "rejected" && offset !== 0)
      .map(({ path: file, number, offset }) => [name, file, String(number), String(offset)])
      .sort(([, a, m], [, b, n]) => byText(a as string, b as string) || Number(m) - Number(n)),
  );
  const solve = (sign: string) => `
rows = []
for name in applied:
    own = [hunk for hunk in hunks if hunk["patch"] == name and hunk["offset"]]
    rows += [[name, hunk["path"], hunk["number"], ${sign}hunk["offset"]] for hunk in sorted(own, key=lambda hunk: (hunk["path"], hunk["number"]))]
${writeTable(path, columns)}`;
  return {
    key: "offsets",
    shape: "hunk-offsets-csv",
    artefact: path,
    format: "CSV with header",
    statement: "The hunks that were applied elsewhere than their line numbers say are listed",
    demand: `\`${path}\`, header \`${columns.join(",")}\`: the hunks that were applied, but not at the line that they name. In order of application, then by path (${world.difficulty >= 3 ? "after a rename the new one" : "as it is in our tree"}), then by number; hunks are numbered from 1 for each file of a patch. The offset is the line at which the hunk's old side begins in the file as it was just before this patch, minus the line that the hunk gives for its old side${world.difficulty >= 4 ? "; context that was left out is counted as if it were there" : ""}.`,
    derivation: "places of the old sides against the line numbers in the hunks",
    ordering: "as applied, by path, by number",
    sources: sourcesOf(setting),
    expected: { columns, rows },
    solve: solve(""),
    mistake: { name: "the wrong sign", solve: solve("-") },
    check: compareTable(path),
  };
}
