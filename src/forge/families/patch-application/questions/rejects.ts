import type { Question } from "../../composition/index.ts";
import { byText, compareJson, type Setting, sourcesOf, writeJson } from "./setting.ts";

/** What could not be applied, and what only nearly fitted. */
export function rejects(setting: Setting): Question {
  const { random, world, folder } = setting;
  const path = `${folder}/${random.pick(["rejects", "left-out", "unplaced"])}.json`;
  const entries = (outcome: string) =>
    world.patches.flatMap(({ name, placed }) =>
      placed.filter((row) => row.outcome === outcome).map(({ path: file, number }) => [name, file, number] as const),
    );
  const sorted = (outcome: string) =>
    entries(outcome).sort((a, b) => byText(a[0], b[0]) || byText(a[1], b[1]) || a[2] - b[2]);
  const solve = (rejected: string) => `
entry = lambda hunk: [hunk["patch"], hunk["path"], hunk["number"]]
${writeJson(path, `{"rejected": ${rejected}, "fuzzy": sorted(entry(hunk) for hunk in hunks if hunk.get("fuzz"))}`)}`;
  return {
    key: "rejects",
    shape: "hunk-rejects",
    artefact: path,
    format: "JSON object of arrays",
    statement: "Rejected hunks and those that needed fuzz are listed",
    demand: `\`${path}\`, a JSON object with two arrays, \`rejected\` for the hunks that could not be placed and \`fuzzy\` for those that fitted only with less context; each entry is \`[patch, path, number]\`, hunks numbered from 1 for each file of a patch, paths as they are after the patch, both arrays sorted by patch, path and number.`,
    derivation: "hunks that were placed with less context, or not at all",
    ordering: "by patch, path and number",
    sources: sourcesOf(setting),
    expected: { rejected: sorted("rejected"), fuzzy: sorted("fuzzy") },
    solve: solve('sorted(entry(hunk) for hunk in hunks if hunk["offset"] is None)'),
    mistake: { name: "nothing rejected", solve: solve("[]") },
    check: compareJson(path),
  };
}
