import type { Question } from "../../composition/index.ts";
import { extensionOf, type Setting, sourcesOf } from "./setting.ts";

/** How much there is of each kind of file. */
export function kinds({ random, facts, folder }: Setting): Question {
  const path = `${folder}/by-extension.json`;
  const [count, bytes] = random.pick([
    ["files", "bytes"],
    ["count", "size"],
  ] as const);
  const expected: Record<string, Record<string, number>> = {};
  for (const { leaf } of facts.recovered) {
    const extension = extensionOf(leaf.path);
    const entry = expected[extension] ?? { [count]: 0, [bytes]: 0 };
    expected[extension] = { [count]: entry[count]! + 1, [bytes]: entry[bytes]! + leaf.content.length };
  }
  const solve = (paths: string) => `
kinds = {}
for path in ${paths}:
    entry = kinds.setdefault(path.rsplit(".", 1)[1], {"${count}": 0, "${bytes}": 0})
    entry["${count}"] += 1
    entry["${bytes}"] += catalogue[path][0]
Path("${path}").write_text(json.dumps(kinds, indent=1) + "\\n")`;
  return {
    key: "kinds",
    shape: "totals-by-extension",
    artefact: path,
    format: "JSON object of objects",
    statement: "Recovered files are counted by extension",
    demand: `\`${path}\`, a JSON object from extension (without the dot) to \`${count}\` and \`${bytes}\`: how many recovered files have it and how large they are together.`,
    derivation: "recovered files by extension",
    sources: sourcesOf(facts),
    expected,
    solve: solve("recovered"),
    mistake: { name: "counts the whole catalogue", solve: solve("catalogue") },
    check: `v.equal(v.json("${path}"), wanted, "${path}")`,
  };
}
