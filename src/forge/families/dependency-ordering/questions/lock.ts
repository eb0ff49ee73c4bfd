import type { Question } from "../../composition/index.ts";
import { versionText } from "../version.ts";
import { type Setting, sourcesOf } from "./setting.ts";

/** The selection itself. */
export function lock(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const path = `${folder}/${random.pick(["packages.lock", "lock.txt", "selection.lock"])}`;
  const mark = random.pick(["==", " ", "@"]);
  const solve = (version: string) => `
Path("${path}").write_text("".join(f"{name}${mark}{${version}}\\n" for name in selected))`;
  return {
    key: "lock",
    shape: "lock-file",
    artefact: path,
    format: "text lines",
    weight: 2,
    statement: "The lock file names every selected package with its version",
    demand: `Write the lock file \`${path}\`: a line \`name${mark}version\` for each selected package, sorted by name, nothing else.`,
    derivation: "the rules applied to the wanted list and the index",
    ordering: "by name",
    sources: sourcesOf(setting),
    negatives: ["packages that nothing asks for"],
    expected: facts.selected.map(({ name, release }) => `${name}${mark}${versionText(release.version)}`),
    solve: solve("selected[name]"),
    mistake: { name: "the newest of everything", solve: solve("newest(name)[0] if newest(name) else selected[name]") },
    check: `v.equal(v.lines("${path}"), wanted, "${path}")`,
  };
}
