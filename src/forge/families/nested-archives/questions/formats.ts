import type { Question } from "../../composition/index.ts";
import { type Setting, sourcesOf } from "./setting.ts";

/** What the containers really were. */
export function formats({ facts, folder }: Setting): Question {
  const path = `${folder}/formats.json`;
  const { world } = facts;
  const solve = (value: string) => `
Path("${path}").write_text(json.dumps({name: ${value} for name, kinds in met.items()}, indent=1) + "\\n")`;
  return {
    key: "formats",
    shape: "format-sets-object",
    artefact: path,
    format: "JSON object of arrays",
    statement: "The true formats inside each container are named",
    demand: `Since the extensions lie: \`${path}\`, a JSON object with an entry for each file in \`/app/${world.drop}\` other than the catalogue${world.difficulty >= 4 ? " (one entry for all pieces of a split one, under the name without the number)" : ""}, whose value is the sorted array of the formats met inside at any depth, itself included: \`gzip\`, \`tar\`, \`xz\`, \`zip\`${world.difficulty >= 4 ? " (text armour, splitting and whatever stands in front don't count)" : ""}.`,
    derivation: "signatures at every depth",
    ordering: "arrays sorted",
    sources: sourcesOf(facts),
    expected: world.formats,
    solve: solve("sorted(kinds)"),
    mistake: { name: "one format each", solve: solve("sorted(kinds)[-1:]") },
    check: `v.equal(v.json("${path}"), wanted, "${path}")`,
  };
}
