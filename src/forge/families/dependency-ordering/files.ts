import type { Random } from "../../../statistics/index.ts";
import type { FixtureFile } from "../family.ts";
import { rulesText } from "./rules.ts";
import { type Clause, versionText } from "./version.ts";
import type { Need, Package, World } from "./world.ts";

/** How the files are called and written. */
export type Layout = { readonly root: string; readonly index: string; readonly style: "stanzas" | "lines" };

export function drawLayout(random: Random): Layout {
  return {
    root: random.pick(["platform", "appliance", "release", "station"]),
    index: random.pick(["index", "registry", "catalogue", "packages"]),
    style: random.pick(["stanzas", "lines"] as const),
  };
}

export const clausesText = (clauses: readonly Clause[]) =>
  clauses.map(({ operator, version }) => `${operator}${versionText(version)}`).join(" ");

function needText({ name, clauses, extra, platform }: Need): string {
  const suffix = extra !== null ? `(extra ${extra})` : platform !== null ? `(platform ${platform})` : "";
  return [name, clausesText(clauses), suffix].filter((part) => part !== "").join(" ");
}

function releaseTexts(random: Random, entry: Package, style: Layout["style"]): string[] {
  return random.shuffle(entry.releases).map((one) => {
    const needs = random.shuffle(one.needs).map(needText);
    if (style === "lines")
      return `${JSON.stringify({
        package: entry.name,
        version: versionText(one.version),
        needs,
        after: entry.after,
        kilobytes: one.kilobytes,
        minutes: one.minutes,
        ...(one.withdrawn ? { withdrawn: true } : {}),
      })}\n`;
    const fields = [
      `Package: ${entry.name}`,
      `Version: ${versionText(one.version)}`,
      ...(needs.length > 0 ? [`Needs: ${needs.join(", ")}`] : []),
      ...(entry.after.length > 0 ? [`After: ${entry.after.join(", ")}`] : []),
      `Kilobytes: ${one.kilobytes}`,
      `Minutes: ${one.minutes}`,
      ...(one.withdrawn ? ["Withdrawn: yes"] : []),
    ];
    return `${fields.join("\n")}\n`;
  });
}

export function worldFiles(random: Random, world: World, layout: Layout): FixtureFile[] {
  const { root, index, style } = layout;
  const shelves = random.sample(["main", "extra", "vendor", "contrib"], random.integer(1, 3));
  const texts = new Map<string, string[]>(shelves.map((name) => [name, []]));
  for (const entry of random.shuffle(world.packages))
    (texts.get(random.pick(shelves)) as string[]).push(...releaseTexts(random, entry, style));
  const wanted = world.wanted.map(({ name, clauses, extra }) =>
    [name, extra === null ? "" : `[${extra}]`, clausesText(clauses)].filter((part) => part !== "").join(" "),
  );
  const installed = random
    .shuffle(Object.entries(world.installed))
    .map(([name, version]) => `${name} ${versionText(version)}`);
  const settings = [
    `platform = ${world.platform}`,
    ...(world.held.length > 0 ? [`hold = ${world.held.join(", ")}`] : []),
  ];
  const files: FixtureFile[] = [
    ...[...texts].map(([name, parts]) => ({
      path: `${root}/${index}/${name}.${style === "lines" ? "jsonl" : "txt"}`,
      content: parts.join(style === "lines" ? "" : "\n"),
    })),
    { path: `${root}/RULES.md`, content: rulesText(world, layout) },
    { path: `${root}/wanted.txt`, content: `# what has to be there\n${wanted.join("\n")}\n` },
    { path: `${root}/installed.txt`, content: `${installed.join("\n")}\n` },
    { path: `${root}/settings.txt`, content: `${settings.join("\n")}\n` },
  ];
  if (Object.keys(world.roles).length > 0)
    files.push({
      path: `${root}/alternatives.txt`,
      content: Object.entries(world.roles)
        .map(([name, packages]) => `${name}: ${packages.join(" ")}\n`)
        .join(""),
    });
  return files;
}
