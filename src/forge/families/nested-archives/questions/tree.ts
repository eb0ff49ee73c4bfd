import type { Question } from "../../composition/index.ts";
import { importSha256, type Setting, sourcesOf } from "./setting.ts";

/** The files themselves. */
export function tree({ facts, target }: Setting): Question {
  const solve = (wanted: string) => `
for path, content in ${wanted}:
    place = Path("${target}") / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)`;
  return {
    key: "tree",
    shape: "recovered-tree",
    artefact: target,
    format: "files",
    weight: 2,
    statement: "Every recoverable file stands under its catalogued path, and nothing else does",
    demand: `Put everything that can be had whole under \`${target}\`, each file at the path that the catalogue gives it (\`lab/2024/tank-7.csv\` would be \`${target}/lab/2024/tank-7.csv\`). Nothing else may be there: no archives, no damaged files, none of the rubbish that got packed along and isn't in the catalogue.`,
    derivation: "members of all archives at any depth whose bytes have the catalogued checksum",
    sources: sourcesOf(facts),
    negatives: ["files that the catalogue doesn't list", "damaged files", "archives"],
    expected: Object.fromEntries(facts.recovered.map(({ leaf }) => [leaf.path, leaf.digest])),
    solve: solve("recovered.items()"),
    mistake: {
      name: "keeps what the catalogue doesn't list",
      solve: solve(
        `list(recovered.items()) + [(name, data) for name, data, *_ in found if name not in catalogue and "/" not in name or name[:4] in ("tmp/", "lab/") and name not in catalogue]`,
      ),
    },
    check: `${importSha256}
v.equal(v.tree("${target}"), sorted(wanted), "${target}")
for path in sorted(wanted):
    v.equal(sha256(v.read_bytes("${target}/" + path)).hexdigest(), wanted[path], "the checksum of " + path)`,
  };
}
