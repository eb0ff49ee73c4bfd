import type { Question } from "../../composition/index.ts";
import { byText } from "../facts.ts";
import { compareVersions, versionText } from "../version.ts";
import { compareTable, type Setting, sourcesOf, writeTable } from "./setting.ts";

/** What changes against what is installed. */
export function plan(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const path = `${folder}/${random.pick(["plan", "changes", "steps"])}.csv`;
  const columns = random.pick([
    ["package", "action", "from", "to"],
    ["name", "step", "old", "new"],
  ]);
  const { installed } = facts.world;
  const rows = [...new Set([...Object.keys(installed), ...facts.selected.map(({ name }) => name)])]
    .sort(byText)
    .flatMap((name) => {
      const from = installed[name];
      const to = facts.selection.chosen.get(name)?.release.version;
      if (from && to && compareVersions(from, to) === 0) return [];
      const action = !from ? "install" : !to ? "remove" : compareVersions(from, to) < 0 ? "upgrade" : "downgrade";
      return [[name, action, from ? versionText(from) : "", to ? versionText(to) : ""]];
    });
  const solve = (newer: string) => `
rows = []
for name in sorted({*selected, *installed}):
    old, new = installed.get(name, ""), selected.get(name, "")
    if old != new:
        rows.append([name, "install" if not old else "remove" if not new else ${newer}, old, new])
${writeTable(path, columns)}`;
  return {
    key: "plan",
    shape: "change-plan-csv",
    artefact: path,
    format: "CSV with header",
    statement: "Every change against the installed packages is listed",
    demand: `\`${path}\`, header \`${columns.join(",")}\`, sorted by name: what has to change against \`installed.txt\`. The second column is \`install\`, \`upgrade\`, \`downgrade\` or \`remove\` (installed, but not selected), the third the installed version and the fourth the selected one, empty where there is none. Packages that stay as they are don't appear.`,
    derivation: "installed versions against selected ones",
    ordering: "by name",
    sources: sourcesOf(setting),
    expected: { columns, rows },
    solve: solve('"upgrade" if key(old) < key(new) else "downgrade"'),
    mistake: {
      name: "removals left out",
      solve: solve('"upgrade" if key(old) < key(new) else "downgrade"').replace(
        "if old != new:",
        "if new and old != new:",
      ),
    },
    check: compareTable(path),
  };
}
