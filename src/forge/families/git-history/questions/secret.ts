import type { Question } from "../../composition/index.ts";
import { byText } from "../facts.ts";
import { compareJson, type Setting, sourcesOf, writeJson } from "./setting.ts";

/** A secret that was committed. */
export function secret(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const { secret: leak, trunkName, branches, commits } = facts.world;
  const path = `${folder}/${random.pick(["leak", "exposure", "secret"])}.json`;
  const holding = Object.keys(branches).filter((name) =>
    [...(commits.get(branches[name] as string)?.files.values() ?? [])].some((text) => text.includes(leak.mark)),
  );
  const solve = (exposed: string) => `
shows = lambda commit: any(b"${leak.mark}" in objects[blob][1] for blob in files(commit).values())
shown = [commit for commit in line if shows(commit)]
after = line[line.index(shown[-1]) + 1]
${writeJson(path, `{"introduced": shown[0], "removed": after, "branches": ${exposed}}`)}`;
  return {
    key: "secret",
    shape: "secret-exposure",
    artefact: path,
    format: "JSON object",
    statement: "It is said how a secret came in, went, and where it still is",
    demand: `Somebody committed a password that begins with \`${leak.mark}\`. \`${path}\`, a JSON object: \`introduced\` and \`removed\`, the full hashes of the commits on the first-parent line of \`${trunkName}\` that brought it and that took it out again, and \`branches\`, the sorted array of the branches whose tip still has it in some file.`,
    derivation: "contents of every tree of the trunk and of the branches' tips",
    ordering: "branches by name",
    sources: sourcesOf(setting),
    expected: { introduced: leak.introduced, removed: leak.removed, branches: holding.sort(byText) },
    solve: solve("[name for name, commit in branches.items() if shows(commit)]"),
    mistake: { name: "only the trunk looked at", solve: solve("[]") },
    check: compareJson(path),
  };
}
