import type { Question } from "../../composition/index.ts";
import { compareLines, type Setting, sourcesOf } from "./setting.ts";

/** What can go, and in which order. */
export function removal(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const path = `${folder}/${random.pick(["remove", "orphans", "purge"])}.txt`;
  const solve = (names: string) => `
orphans = [name for name in installed if name not in selected]
uses = {name: {need for need, _, _ in releases[name][installed[name]]["needs"]} for name in orphans}
gone, left = [], sorted(orphans)
while left:
    name = next(name for name in left if not any(name in uses[other] for other in left))
    gone.append(name)
    left.remove(name)
Path("${path}").write_text("".join(f"{name}\\n" for name in ${names}))`;
  return {
    key: "removal",
    shape: "removal-order",
    artefact: path,
    format: "text lines",
    statement: "Orphaned packages are listed in the order in which they can go",
    demand: `\`${path}\`: the installed packages that aren't selected, one a line, in the order in which they can be removed. A package goes only when no other one on this list that is still there names it in the needs of its installed release (with or without a condition); of those that can go, the alphabetically first goes next.`,
    derivation: "installed minus selected, by the needs of the installed releases",
    ordering: "dependents first, then by name",
    sources: sourcesOf(setting),
    expected: facts.orphans,
    solve: solve("gone"),
    mistake: { name: "alphabetical", solve: solve("sorted(orphans)") },
    check: compareLines(path),
  };
}
