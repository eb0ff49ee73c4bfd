import type { Question } from "../../composition/index.ts";
import { compareJson, type Setting, sourcesOf, writeJson } from "./setting.ts";

/** What isn't at its newest, and who keeps it there. */
export function heldBack(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const { difficulty } = facts.world;
  const path = `${folder}/${random.pick(["held-back", "outdated", "blocked"])}.json`;
  const solve = (condition: string) => `
found = {}
for name, version in selected.items():
    top = next(iter(newest(name)), version)
    if ${condition}:
        by = sorted(asker for asker, clauses in askers[name].items() if asker not in aside.get(name, []) and not all(meets(top, clause) for clause in clauses))
        found[name] = {"chosen": version, "newest": top, "by": by}
${writeJson(path, "found")}`;
  return {
    key: "held_back",
    shape: "blocked-updates",
    artefact: path,
    format: "JSON object of objects",
    statement: "Packages that are not at their newest release are listed with what keeps them back",
    demand: `\`${path}\`: a JSON object with an entry for each selected package of which there is a newer release than the selected one${difficulty >= 2 ? " (withdrawn ones and pre-releases aside)" : ""}: \`chosen\`, the selected version, \`newest\`, the newest one, and \`by\`, the sorted array of the selected packages whose constraints the newest doesn't meet, with \`wanted\` for the wanted list${difficulty >= 4 ? " (empty if only a hold is to blame)" : ""}${difficulty >= 5 ? "; constraints that were set aside don't count" : ""}.`,
    derivation: "newest releases against the constraints in force",
    sources: sourcesOf(setting),
    expected: facts.heldBack,
    solve: solve("key(top) > key(version)"),
    mistake: { name: "lists those at their newest too", solve: solve("True") },
    check: compareJson(path),
  };
}
