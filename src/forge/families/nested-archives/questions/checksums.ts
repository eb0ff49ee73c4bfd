import type { Question } from "../../composition/index.ts";
import { type Setting, sourcesOf } from "./setting.ts";

/** A file that sha256sum can check. */
export function checksums({ random, facts, folder, target }: Setting): Question {
  const path = `${folder}/${random.pick(["SHA256SUMS", "recovered.sha256"])}`;
  const line = (digest: string, name: string) => `${digest}  ${name}`;
  const solve = (order: string) => `
sums = [f"{catalogue[path][1]}  {path}\\n" for path in ${order}]
Path("${path}").write_text("".join(sums))`;
  return {
    key: "checksums",
    shape: "checksum-file",
    artefact: path,
    format: "sha256sum lines",
    statement: "A checksum file for the recovered files is there",
    demand: `A checksum file \`${path}\`, so that \`sha256sum -c\` run in \`${target}\` checks all recovered files: \`<sha256>  <path>\` with two spaces, paths as in the catalogue, sorted by path.`,
    derivation: "SHA-256 of each recovered file",
    ordering: "by path",
    sources: sourcesOf(facts),
    expected: facts.recovered.map(({ leaf }) => line(leaf.digest, leaf.path)),
    solve: solve("recovered"),
    mistake: { name: "lists the lost ones as well", solve: solve("sorted(catalogue)") },
    check: `v.equal(v.lines("${path}"), wanted, "${path}")`,
  };
}
