import { createHash } from "node:crypto";
import type { Question } from "../../composition/index.ts";
import { fileText } from "../tree.ts";
import { byText, compareLines, type Setting, sourcesOf } from "./setting.ts";

/** A file that sha256sum can check. */
export function checksums(setting: Setting): Question {
  const { random, world, folder } = setting;
  const path = `${folder}/${random.pick(["SHA256SUMS", "tree.sha256"])}`;
  const digest = (text: string) => createHash("sha256").update(text).digest("hex");
  const solve = (mark: string) => `
Path("${path}").write_text("".join(f"{hashlib.sha256(data).hexdigest()}${mark}{path}\\n" for path, data in result.items()))`;
  return {
    key: "checksums",
    shape: "checksum-file",
    artefact: path,
    format: "sha256sum lines",
    statement: "A checksum file for the patched tree is there",
    demand: `\`${path}\`, so that \`sha256sum -c\` run in \`/app/${world.project}\` checks every file of the patched tree: \`<sha256>  <path>\` with two spaces, sorted by path.`,
    derivation: "SHA-256 of each file of the patched tree",
    ordering: "by path",
    sources: sourcesOf(setting),
    expected: [...world.after]
      .sort(([a], [b]) => byText(a, b))
      .map(([name, file]) => `${digest(fileText(file))}  ${name}`),
    solve: solve("  "),
    mistake: { name: "paths of another place", solve: solve("  ./") },
    check: compareLines(path),
  };
}
