import type { Question } from "../../composition/index.ts";
import { byText, type Setting, sourcesOf } from "./setting.ts";

/** Files with the same content. */
export function duplicates({ random, facts, folder }: Setting): Question {
  const path = `${folder}/${random.pick(["duplicates", "same-content"])}.json`;
  const groups = new Map<string, string[]>();
  for (const { leaf } of facts.recovered) groups.set(leaf.digest, [...(groups.get(leaf.digest) ?? []), leaf.path]);
  const solve = (least: number) => `
groups = {}
for path in recovered:
    groups.setdefault(catalogue[path][1], []).append(path)
twins = sorted(paths for paths in groups.values() if len(paths) > ${least})
Path("${path}").write_text(json.dumps(twins, indent=1) + "\\n")`;
  return {
    key: "duplicates",
    shape: "grouped-duplicates",
    artefact: path,
    format: "JSON array of arrays",
    statement: "Recovered files with the same content are grouped",
    demand: `Some files were kept under several names. \`${path}\`: a JSON array with, for each content that more than one recovered file has, the array of their paths; paths sorted inside, the groups sorted by their first path.`,
    derivation: "recovered files grouped by checksum",
    ordering: "paths within groups, groups by first path",
    sources: sourcesOf(facts),
    expected: [...groups.values()].filter((paths) => paths.length > 1).sort((a, b) => byText(a[0]!, b[0]!)),
    solve: solve(1),
    mistake: { name: "lists single files too", solve: solve(0) },
    check: `v.equal(v.json("${path}"), wanted, "${path}")`,
  };
}
