import type { Question } from "../../composition/index.ts";
import { baseName, compareText, type Setting, sourcesOf } from "./setting.ts";

/** Work of a branch that was deleted. */
export function lostWork(setting: Setting): Question {
  const { facts, folder } = setting;
  const { lost } = facts.world;
  const path = `${folder}/${baseName(lost.path)}`;
  const solve = (which: number) => `
drafts = [name for name in lost if commits[name]["subject"].startswith("${lost.topic}: ")]
Path("${path}").write_text(text(drafts[${which}], "${lost.path}"))`;
  return {
    key: "lost_work",
    shape: "unreachable-commit-restored",
    artefact: path,
    format: "text",
    statement: "The work of the deleted branch is back",
    demand: `The branch \`${lost.deletedBranch}\` was deleted before it was merged, and nothing refers to its commits any more; their subjects begin with \`${lost.topic}: \`, and some of them were amended. Save \`${lost.path}\` from the newest of them (by committer date) as \`${path}\`, byte for byte.`,
    derivation: "commits that no reference reaches",
    sources: sourcesOf(setting),
    expected: lost.content,
    solve: solve(-1),
    mistake: { name: "the first draft", solve: solve(0) },
    check: compareText(path),
  };
}
