import type { Question } from "../../composition/index.ts";
import { byText } from "../facts.ts";
import { compareJson, type Setting, sourcesOf, writeJson } from "./setting.ts";

/** The chain that decides how long it takes. */
export function critical(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const path = `${folder}/${random.pick(["critical-path", "longest-chain", "schedule"])}.json`;
  const best = new Map<string, { minutes: number; chain: string[] }>();
  const longest = (list: { minutes: number; chain: string[] }[]) =>
    list.sort((a, b) => b.minutes - a.minutes || byText(a.chain.join(" "), b.chain.join(" ")))[0];
  for (const { name } of [...facts.world.packages].reverse()) {
    const one = facts.selection.chosen.get(name);
    if (!one) continue;
    const below = longest([...one.needs.keys()].map((need) => best.get(need) as { minutes: number; chain: string[] }));
    const minutes = one.release.minutes + (below?.minutes ?? 0);
    best.set(name, { minutes, chain: [name, ...(below?.chain ?? [])] });
  }
  const found = longest([...best.values()]) as { minutes: number; chain: string[] };
  const solve = (minutes: string) => `
best = {}


def slowest(name):
    if name not in best:
        ways = [slowest(need) for need in needs[name]] or [(0, [])]
        most = max(ways)[0]
        chain = min(chain for total, chain in ways if total == most)
        best[name] = (most + releases[name][selected[name]]["minutes"], [name] + chain)
    return best[name]


most = max(slowest(name)[0] for name in selected)
chain = min(chain for total, chain in best.values() if total == most)
${writeJson(path, `{"minutes": ${minutes}, "chain": chain}`)}`;
  return {
    key: "critical",
    shape: "critical-path",
    artefact: path,
    format: "JSON object",
    statement: "The chain of needs that takes longest is given",
    demand: `With enough builders the time depends on one chain. \`${path}\`, a JSON object: \`chain\`, the chain of needs among the selected releases whose minutes add up to most, as an array that begins with the package at the top and ends with one that needs nothing (of equal ones the alphabetically first), and \`minutes\`, that sum.`,
    derivation: "longest weighted path over the needs of the selected releases",
    ordering: "from the top down",
    sources: sourcesOf(setting),
    expected: { minutes: found.minutes, chain: found.chain },
    solve: solve("most"),
    mistake: {
      name: "the first doesn't count",
      solve: solve('most - releases[chain[0]][selected[chain[0]]]["minutes"]'),
    },
    check: compareJson(path),
  };
}
