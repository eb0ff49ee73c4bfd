import type { Question } from "../../composition/index.ts";
import { compareVersions } from "../version.ts";
import { compareJson, type Setting, sourcesOf, writeJson } from "./setting.ts";

/** How much has to be fetched. */
export function download(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const path = `${folder}/${random.pick(["download", "transfer", "fetch"])}.json`;
  const [count, size] = random.pick([
    ["packages", "kilobytes"],
    ["count", "kb"],
  ] as const);
  const { installed } = facts.world;
  const fetched = facts.selected.filter(({ name, release }) => {
    const present = installed[name];
    return !present || compareVersions(present, release.version) !== 0;
  });
  const solve = (condition: string) => `
fetched = [releases[name][version]["kilobytes"] for name, version in selected.items() if ${condition}]
${writeJson(path, `{"${count}": len(fetched), "${size}": sum(fetched)}`)}`;
  return {
    key: "download",
    shape: "download-total",
    artefact: path,
    format: "JSON object",
    statement: "What has to be downloaded is counted and summed up",
    demand: `\`${path}\`, a JSON object with \`${count}\` and \`${size}\`: how many selected releases have to be fetched because another version or none is installed, and their kilobytes together.`,
    derivation: "sizes of the selected releases that aren't installed",
    sources: sourcesOf(setting),
    expected: { [count]: fetched.length, [size]: fetched.reduce((sum, { release }) => sum + release.kilobytes, 0) },
    solve: solve("installed.get(name) != version"),
    mistake: { name: "fetches everything", solve: solve("True") },
    check: compareJson(path),
  };
}
