import type { Question } from "../../composition/index.ts";
import { compareTable, type Setting, sourcesOf, writeTable } from "./setting.ts";

/** One row for each recovered file. */
export function manifest({ random, facts, folder }: Setting): Question {
  const path = `${folder}/${random.pick(["manifest", "recovered", "report"])}.csv`;
  const columns = random.pick([
    ["path", "bytes", "sha256", "container"],
    ["file", "size", "checksum", "found_in"],
  ]);
  const solve = (digest: string) => `
rows = [[path, len(data), ${digest}, sources[path]] for path, data in recovered.items()]
${writeTable(path, columns)}`;
  return {
    key: "manifest",
    shape: "file-manifest-csv",
    artefact: path,
    format: "CSV with header",
    statement: "A manifest lists the recovered files with size, checksum and where they came from",
    demand: `A manifest of what was recovered, \`${path}\`, header \`${columns.join(",")}\`, sorted by path: bytes, SHA-256 in lower-case hex, and in the last column the name of the file in \`/app/${facts.world.drop}\` whose inside it came from${facts.world.difficulty >= 4 ? " (for one that is split, the name without the number)" : ""}; when several yield it, the alphabetically first.`,
    derivation: "recovered files and the outermost container of each",
    ordering: "by path",
    sources: sourcesOf(facts),
    expected: {
      columns,
      rows: facts.recovered.map(({ leaf, container }) => [
        leaf.path,
        String(leaf.content.length),
        leaf.digest,
        container,
      ]),
    },
    solve: solve("catalogue[path][1]"),
    mistake: { name: "checksums of the names", solve: solve("hashlib.sha256(path.encode()).hexdigest()") },
    check: compareTable(path),
  };
}
