import type { Question } from "../../composition/index.ts";
import { byText } from "../facts.ts";
import { compareJson, type Setting, sourcesOf, writeJson } from "./setting.ts";

/** Why a package is there at all. */
export function why(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const path = `${folder}/${random.pick(["why", "reasons", "chains"])}.json`;
  const chains = new Map<string, string[]>();
  let edge = facts.world.wanted.map(({ name }) => [name]);
  while (edge.length > 0) {
    edge.sort((a, b) => byText(a.join(" "), b.join(" ")));
    const next: string[][] = [];
    for (const chain of edge) {
      const name = chain.at(-1) as string;
      if (chains.has(name)) continue;
      chains.set(name, chain);
      for (const need of facts.selection.chosen.get(name)?.needs.keys() ?? []) next.push([...chain, need]);
    }
    edge = next;
  }
  const deep = [...chains].filter(([, chain]) => chain.length > 1).map(([name]) => name);
  const asked = random.sample(deep, Math.min(3, deep.length)).sort(byText);
  const solve = (value: string) => `
chains, edge = {}, sorted([name] for name in wanted)
while edge:
    following = []
    for chain in edge:
        if chain[-1] not in chains:
            chains[chain[-1]] = chain
            following += [chain + [need] for need in needs[chain[-1]]]
    edge = sorted(following)
${writeJson(path, `{name: ${value} for name in ${JSON.stringify(asked)}}`)}`;
  return {
    key: "why",
    shape: "dependency-chains",
    artefact: path,
    format: "JSON object of arrays",
    statement: "For some packages the shortest chain that brings them in is given",
    demand: `People ask why ${asked.map((name) => `\`${name}\``).join(", ")} ${asked.length === 1 ? "is" : "are"} selected. \`${path}\`: a JSON object that gives for each of these the shortest chain of needs of selected releases from a package of the wanted list to it, as an array of names with both ends; of several equally short ones the alphabetically first, compared name by name.`,
    derivation: "shortest paths over the needs of the selected releases",
    ordering: "from the wanted package to the one asked about",
    sources: sourcesOf(setting),
    expected: Object.fromEntries(asked.map((name) => [name, chains.get(name)])),
    solve: solve("chains[name]"),
    mistake: { name: "the wrong way round", solve: solve("chains[name][::-1]") },
    check: compareJson(path),
  };
}
