import { createHash } from "node:crypto";
import type { Question } from "../../composition/index.ts";
import { fileText } from "../tree.ts";
import { importSha256, type Setting, sourcesOf } from "./setting.ts";

/** The patched tree itself. */
export function tree(setting: Setting): Question {
  const { world } = setting;
  const root = `/app/${world.project}`;
  const digest = (text: string) => createHash("sha256").update(text).digest("hex");
  const solve = (after: string) => `
shutil.rmtree(TREE)
for path, data in result.items():
    (TREE / path).parent.mkdir(parents=True, exist_ok=True)
    (TREE / path).write_bytes(data)
${after}`;
  return {
    key: "tree",
    shape: "patched-tree",
    artefact: root,
    format: "files",
    weight: 2,
    statement: "The tree is as the patches make it, and holds nothing else",
    demand: `Apply the patches to \`${root}\`, in place. Afterwards the tree has exactly the files that belong there, byte for byte: no \`.orig\`, no \`.rej\`, no old names of renamed files, no deleted files.`,
    derivation: "the patches applied in order by the rules",
    sources: sourcesOf(setting),
    negatives: ["backup files", "reject files", "files that were deleted or renamed"],
    expected: Object.fromEntries([...world.after].map(([path, file]) => [path, digest(fileText(file))])),
    solve: solve(""),
    mistake: {
      name: "backups left behind",
      solve: solve('backup = min(result)\n(TREE / f"{backup}.orig").write_bytes(result[backup])'),
    },
    check: `${importSha256}
v.equal(v.tree("${root}"), sorted(wanted), "${root}")
for path in sorted(wanted):
    v.equal(sha256(v.read_bytes("${root}/" + path)).hexdigest(), wanted[path], "the checksum of " + path)`,
  };
}
