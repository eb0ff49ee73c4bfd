import type { Question } from "../../composition/index.ts";
import { compareJson, type Setting, sourcesOf, writeJson } from "./setting.ts";

/** What can be built at the same time. */
export function waves(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const path = `${folder}/${random.pick(["waves", "stages", "parallel"])}.json`;
  const solve = (name: string) => `
depth = {}


def wave(name):
    if name not in depth:
        depth[name] = max((wave(need) + 1 for need in needs[name]), default=0)
    return depth[name]


waves = [[name for name in selected if wave(name) == number] for number in range(max(map(wave, selected)) + 1)]
${writeJson(path, name)}`;
  return {
    key: "waves",
    shape: "parallel-waves",
    artefact: path,
    format: "JSON array of arrays",
    statement: "The waves of a parallel installation are given",
    demand: `The builders can work in parallel: \`${path}\`, a JSON array of waves, each a sorted array of names. A package is in the first wave after all the packages that its selected release needs; the first wave holds those that need nothing. \`After\` plays no part here.`,
    derivation: "longest chain of needs below each package",
    ordering: "waves in time, names sorted within",
    sources: sourcesOf(setting),
    expected: facts.waves,
    solve: solve("waves"),
    mistake: { name: "the last wave first", solve: solve("waves[::-1]") },
    check: compareJson(path),
  };
}
