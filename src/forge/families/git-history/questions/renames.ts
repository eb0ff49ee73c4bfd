import type { Question } from "../../composition/index.ts";
import { compareJson, type Setting, sourcesOf, writeJson } from "./setting.ts";

/** The names that one file had. */
export function renames(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const { renames, trunkName } = facts.world;
  const path = `${folder}/${random.pick(["renames", "names", "moves"])}.json`;
  const last = renames.at(-1) as readonly [string, string, string];
  const solve = (steps: string) => `
steps, here = [], "${last[1]}"
for before, after in reversed(list(zip(line, line[1:]))):
    if here in files(after) and here not in files(before):
        gone = [path for path, blob in files(before).items() if path not in files(after) and blob == files(after)[here]]
        if gone:
            steps.append([gone[0], here, after])
            here = gone[0]
${writeJson(path, steps)}`;
  return {
    key: "renames",
    shape: "rename-chain",
    artefact: path,
    format: "JSON array of arrays",
    statement: "The renames of one file are listed with their commits",
    demand: `\`${last[1]}\` on \`${trunkName}\` went by other names before. \`${path}\`: a JSON array with \`[old name, new name, full hash of the commit]\` for each time it was renamed, oldest first. (Every rename left the content as it was.)`,
    derivation: "paths that went and came with the same content on the trunk",
    ordering: "oldest first",
    sources: sourcesOf(setting),
    expected: renames,
    solve: solve("steps[::-1]"),
    mistake: { name: "newest first", solve: solve("steps") },
    check: compareJson(path),
  };
}
