// An older state and a series of patches; a patch that was withdrawn lies beside them.
import type { Random } from "../../../../statistics/index.ts";
import { gzip } from "../../encoding/index.ts";
import { type Stage, writeMade } from "../stage.ts";
import { plainText } from "../text.ts";

const context = 3;
type Edit = { readonly before: string[]; readonly hunk: string };

/** An older version of `after`, and the hunk that leads from it to `after`. */
function edit(after: readonly string[], random: Random): Edit {
  const at = random.integer(1, after.length - 2);
  const line = after[at] as string;
  const kind = random.pick(["replaced", "inserted", "deleted"] as const);
  const older = /\d/.test(line) ? line.replace(/\d/, (digit) => String((Number(digit) + 1) % 10)) : `${line} (draft)`;
  const removed = kind === "replaced" ? [older] : kind === "deleted" ? [older] : [];
  const added = kind === "deleted" ? [] : [line];
  const tail = kind === "deleted" ? after.slice(at) : after.slice(at + 1);
  const head = after.slice(0, at);
  const leading = head.slice(-context);
  const trailing = tail.slice(0, context);
  const start = at - leading.length + 1;
  const lengths = [removed, added].map((own) => leading.length + own.length + trailing.length);
  const body = [
    ...leading.map((text) => ` ${text}`),
    ...removed.map((text) => `-${text}`),
    ...added.map((text) => `+${text}`),
    ...trailing.map((text) => ` ${text}`),
  ];
  return {
    before: [...head, ...removed, ...tail],
    hunk: `@@ -${start},${lengths[0]} +${start},${lengths[1]} @@\n${body.join("\n")}\n`,
  };
}

const apply = (folder: string, more: string) => `
import gzip, os
made, packed = {}, {}
for place, _, names in os.walk("${folder}/old"):
    for name in names:
        path = os.path.join(place, name)
        target = os.path.relpath(path, "${folder}/old")
        if name.endswith(".gz"):
            packed[target[:-3]] = gzip.open(path).read()
        else:
            made[target] = open(path, encoding="utf-8", newline="").read().split("\\n")
series = [name for name in open("${folder}/patches/series").read().split() if name]
${more}
for name in series:
    lines, target = open("${folder}/patches/" + name, encoding="utf-8", newline="").read().split("\\n")[:-1], None
    for line in lines:
        if line.startswith("--- ") or line.startswith("diff "):
            continue
        if line.startswith("+++ b/"):
            target = made[line[6:]]
        elif line.startswith("@@ "):
            at = int(line.split()[1][1:].split(",")[0]) - 1
        elif line.startswith("-"):
            assert target[at] == line[1:], name
            del target[at]
        elif line.startswith("+"):
            target.insert(at, line[1:])
            at += 1
        else:
            assert target[at] == line[1:], name
            at += 1
made = packed | {path: "\\n".join(lines).encode("utf-8") for path, lines in made.items()}
${writeMade}`;

const fewestLines = 8;

/** The lines of a file that patches can change; null for bytes, for short texts and for what looks like a patch itself. */
function patchable(content: Uint8Array): string[] | null {
  const text = plainText(content);
  const lines = text?.split("\n") ?? [];
  if (!text?.endsWith("\n") || lines.length <= fewestLines) return null;
  return lines.some((line) => /^(---|\+\+\+|@@|diff) /.test(line)) ? null : lines;
}

export const patched: Stage = {
  id: "patched",
  family: "patch-application",
  suits: (inputs) => inputs.some(({ content }) => patchable(content) !== null),
  deliver({ random, inputs, folder, difficulty, bug }) {
    const states = new Map(
      inputs.flatMap(({ path, content }): [string, string[]][] => {
        const lines = patchable(content);
        return lines ? [[path, lines]] : [];
      }),
    );
    const kept = inputs.filter(({ path }) => !states.has(path));
    const paths = [...states.keys()];
    const words = random.shuffle([
      "units",
      "typo",
      "late",
      "review",
      "split",
      "rename",
      "totals",
      "order",
      "zones",
      "rows",
      "ids",
      "dates",
    ]);
    const patchOf = (path: string, hunk: string) => `--- a/${path}\n+++ b/${path}\n${hunk}`;
    const withdrawnPath = random.pick(paths);
    const current = states.get(withdrawnPath) as string[];
    const last = Math.floor(current.length / 2);
    const withdrawn = patchOf(
      withdrawnPath,
      `@@ -${last + 1},1 +${last + 1},2 @@\n ${current[last]}\n+${current[last - 1]}\n`,
    );
    const patches: { name: string; text: string }[] = [];
    const touched = random.shuffle([...paths, ...Array.from({ length: difficulty }, () => random.pick(paths))]);
    for (const path of touched) {
      const { before, hunk } = edit(states.get(path) as string[], random);
      states.set(path, before);
      patches.unshift({
        name: `${words[patches.length % words.length]}-${patches.length + 1}.patch`,
        text: patchOf(path, hunk),
      });
    }
    const series = patches.map(({ name }) => name);
    if (bug) series.pop();
    return {
      files: [
        ...[...states].map(([path, lines]) => ({ path: `${folder}/old/${path}`, content: lines.join("\n") })),
        ...kept.map(({ path, content }) => ({ path: `${folder}/old/${path}.gz`, content: gzip(content) })),
        ...patches.map(({ name, text }) => ({ path: `${folder}/patches/${name}`, content: text })),
        { path: `${folder}/patches/withdrawn.patch`, content: withdrawn },
        { path: `${folder}/patches/series`, content: `${series.join("\n")}\n` },
      ],
      words: `What we have is an older state, under \`/app/${folder}/old\`, and the patches under \`/app/${folder}/patches\` that bring it up to date.${kept.length > 0 ? " (What ends in `.gz` there was packed once more and has no patch: unpack it once.)" : ""} Apply those that \`series\` names, in its order; a patch that it doesn't name was withdrawn. The result belongs below \`/app\`, at the same relative paths.`,
      program: apply(folder, ""),
      mistaken: apply(folder, 'series.append("withdrawn.patch")'),
    };
  },
};
