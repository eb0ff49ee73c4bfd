import type { Random } from "../../../statistics/index.ts";
import type { FixtureFile } from "../family.ts";
import { partText } from "./diff.ts";
import { rulesText } from "./rules.ts";
import { fileText } from "./tree.ts";
import type { Patch, World } from "./world.ts";

export type Layout = { readonly queue: string; readonly rules: string };

export function drawLayout(random: Random): Layout {
  return {
    queue: random.pick(["patches", "queue", "debian/patches", "incoming"]),
    rules: random.pick(["README", "HOWTO.txt", "rules.md"]),
  };
}

const months = ["Jan", "Mar", "May", "Jun", "Sep", "Nov"];

function patchText(random: Random, patch: Patch, { project, difficulty }: World): string {
  const prefixes = { 0: ["", ""], 1: ["a/", "b/"], 2: [`a/${project}/`, `b/${project}/`] } as const;
  const stamp = random.boolean(0.4)
    ? `\t2025-0${random.integer(1, 9)}-${random.integer(10, 28)} 1${random.integer(0, 9)}:30:00.000000000 +0200`
    : "";
  const day = `${random.integer(1, 28)} ${random.pick(months)} 2025`;
  const header = [
    `From: ${patch.author.name} <${patch.author.login}@${project}.example>`,
    `Date: ${day}`,
    `Subject: ${patch.subject}`,
    ...(difficulty >= 5 && patch.strip !== 1 ? [`Strip: ${patch.strip}`] : []),
    ...(difficulty >= 5 ? patch.needs.map((name) => `Depends-On: ${name}`) : []),
    ...(difficulty >= 5 && patch.supersedes !== null ? [`Supersedes: ${patch.supersedes}`] : []),
    "",
    random.pick([
      "Seen in the field twice.",
      "As discussed.",
      "No change for anybody who keeps the defaults.",
      "Found by a reader.",
    ]),
    ...(random.boolean(0.3) ? ["- tested on the bench", "+ and at a customer's"] : []),
    "",
  ];
  const parts = patch.parts.flatMap((part) =>
    partText(part, patch.format, prefixes[patch.strip as 0 | 1 | 2], part.kind === "rename" ? "" : stamp),
  );
  return `${[...header, ...parts].join("\n")}\n`;
}

export function worldFiles(random: Random, world: World, layout: Layout): FixtureFile[] {
  const { project, patches, before, difficulty } = world;
  const files: FixtureFile[] = [...before].map(([path, file]) => ({
    path: `${project}/${path}`,
    content: fileText(file),
  }));
  for (const patch of patches)
    files.push({ path: `${layout.queue}/${patch.name}`, content: patchText(random.fork(patch.name), patch, world) });
  if (difficulty < 5) {
    const lines = patches.flatMap(({ name, strip }) => [
      ...(random.boolean(0.25) ? [`# ${random.pick(["from upstream", "ours", "see the mail of May"])}`] : []),
      `${name}${strip === 1 ? "" : ` -p${strip}`}`,
      ...(random.boolean(0.15) ? [""] : []),
    ]);
    files.push({ path: `${layout.queue}/series`, content: `# in this order\n${lines.join("\n")}\n` });
  }
  files.push({ path: `${layout.queue}/${layout.rules}`, content: rulesText(world) });
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}
