import type { Question } from "../../composition/index.ts";
import { baseName, compareText, type Setting, sourcesOf } from "./setting.ts";

/** What was stashed away and dropped. */
export function stashed(setting: Setting): Question {
  const { facts, folder } = setting;
  const { stash } = facts.world;
  const path = `${folder}/stashed-${baseName(stash.path)}`;
  const solve = (which: string) => `
stash = next(name for name in lost if commits[name]["subject"].startswith("WIP on ${stash.branch}: "))
Path("${path}").write_text(text(${which}, "${stash.path}"))`;
  return {
    key: "stashed",
    shape: "dropped-stash-restored",
    artefact: path,
    format: "text",
    statement: "The stashed version of a file is back",
    demand: `Somebody stashed changes on the branch \`${stash.branch}\` (long gone), pushed them here by mistake and dropped the reference. Save \`${stash.path}\` as it was in the working tree of that stash as \`${path}\`, byte for byte.`,
    derivation: "the stash commit that no reference reaches",
    sources: sourcesOf(setting),
    expected: stash.content,
    solve: solve("stash"),
    mistake: { name: "what was staged", solve: solve('commits[stash]["parents"][1]') },
    check: compareText(path),
  };
}
