import type { Question } from "../../composition/index.ts";
import { byText, type Setting, sourcesOf } from "./setting.ts";

/** How much of each folder is left. */
export function coverage({ facts, folder }: Setting): Question {
  const path = `${folder}/coverage.txt`;
  const totals = new Map<string, [number, number]>();
  const kept = new Set(facts.recovered.map(({ leaf }) => leaf.path));
  for (const leaf of facts.world.leaves) {
    const name = leaf.path.split("/")[0] as string;
    const [have, all] = totals.get(name) ?? [0, 0];
    totals.set(name, [have + (kept.has(leaf.path) ? 1 : 0), all + 1]);
  }
  const lines = [...totals]
    .sort(([a], [b]) => byText(a, b))
    .map(([name, [have, all]]) => {
      const tenths = Math.floor((2000 * have + all) / (2 * all));
      return `${name} ${have}/${all} ${Math.floor(tenths / 10)}.${tenths % 10}%`;
    });
  const solve = (base: string) => `
have, everything = {}, {}
for path in catalogue:
    top = path.split("/")[0]
    have[top] = have.get(top, 0) + (path in recovered)
    everything[top] = everything.get(top, 0) + 1
lines = []
for top in sorted(everything):
    tenths = (2000 * have[top] + ${base}) // max(1, 2 * ${base})
    lines.append(f"{top} {have[top]}/{${base}} {tenths // 10}.{tenths % 10}%\\n")
Path("${path}").write_text("".join(lines))`;
  return {
    key: "coverage",
    shape: "percentage-lines",
    artefact: path,
    format: "text lines",
    statement: "For each top folder the share of recovered files is given",
    demand: `\`${path}\`, a line for each top-level folder of the catalogue, sorted by name, with recovered and catalogued files and their share, as in \`lab 12/15 80.0%\` (one decimal, halves up).`,
    derivation: "catalogue and recovered files by first path component",
    ordering: "by folder",
    sources: sourcesOf(facts),
    expected: lines,
    solve: solve("everything[top]"),
    mistake: { name: "measures against itself", solve: solve("have[top]") },
    check: `v.equal(v.lines("${path}"), wanted, "${path}")`,
  };
}
