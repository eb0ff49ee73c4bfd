import type { Question } from "../../composition/index.ts";
import { baseName, compareText, type Setting, sourcesOf } from "./setting.ts";

/** A file that was deleted, as it last was. */
export function restored(setting: Setting): Question {
  const { facts, folder } = setting;
  const { deleted, trunkName } = facts.world;
  const path = `${folder}/${baseName(deleted.path)}`;
  const solve = (which: number) => `
versions = [text(commit, "${deleted.path}") for commit in line if "${deleted.path}" in files(commit)]
Path("${path}").write_text(versions[${which}])`;
  return {
    key: "restored",
    shape: "deleted-file-restored",
    artefact: path,
    format: "text",
    statement: "The deleted file is back as it was before its deletion",
    demand: `\`${deleted.path}\` was deleted on \`${trunkName}\` some time ago. Save what it held immediately before that as \`${path}\`, byte for byte.`,
    derivation: "the last tree of the trunk that has the path",
    sources: sourcesOf(setting),
    expected: deleted.content,
    solve: solve(-1),
    mistake: { name: "the first version", solve: solve(0) },
    check: compareText(path),
  };
}
