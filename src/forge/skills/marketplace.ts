import { join, posix } from "node:path";
import { z } from "zod";
import { printableLine, RoutesetterError, schemaProblems, TaskFormatError } from "../../contract/index.ts";
import { parseJson, readTextFile } from "../../tasks/index.ts";
import type { Skill, SkillGroup } from "./skill.ts";

export const marketplaceFile = ".claude-plugin/marketplace.json";

const text = z.string().max(2000);
const marketplaceSchema = z.object({
  plugins: z
    .array(
      z.object({
        name: text,
        description: text.optional(),
        /** A folder of this checkout; an object names another repository, which is not fetched. */
        source: z.union([text, z.record(z.string(), z.unknown())]).optional(),
        skills: z.union([text.transform((one) => [one]), z.array(text).max(10_000)]).optional(),
      }),
    )
    .max(10_000),
});

/** The groups of a checkout's marketplace file; none without one. What can't be read is a warning. */
export function readGroups(root: string, skills: readonly Skill[], warn: (message: string) => void): SkillGroup[] {
  const file = join(root, marketplaceFile);
  const place = { code: "marketplace_unreadable", remedy: "write it as plugin marketplaces have it" };
  const folders = new Set(skills.map(({ folder }) => folder));
  try {
    const content = readTextFile(file, { error: TaskFormatError, ...place, maximumBytes: 4 << 20 });
    if (content === null) return [];
    const value = parseJson(
      content.text,
      ({ expected, line, column }) =>
        new TaskFormatError({ ...place, message: `expected ${expected}`, where: { file, line, column } }),
    );
    const parsed = marketplaceSchema.safeParse(value);
    if (!parsed.success)
      throw new TaskFormatError({ ...place, message: schemaProblems(parsed.error), where: { file } });
    return parsed.data.plugins.map(({ name, description = "", source = ".", skills: listed }) => {
      const base = typeof source === "string" ? normal(source) : null;
      const isBelow = (folder: string) => base === "" || folder === base || folder.startsWith(`${base}/`);
      if (base === null) warn(`${marketplaceFile}: the plugin ${printableLine(name)} lies elsewhere and is left out`);
      const wanted = listed?.map((path) => ({ path, folder: base === null ? null : normal(posix.join(base, path)) }));
      for (const { path, folder } of wanted ?? [])
        if (base !== null && (folder === null || !folders.has(folder)))
          warn(`${marketplaceFile}: the plugin ${printableLine(name)} names ${printableLine(path)}, where no skill is`);
      const members = wanted
        ? wanted.flatMap(({ folder }) => (folder !== null && folders.has(folder) ? [folder] : []))
        : base === null
          ? []
          : [...folders].filter(isBelow);
      return { name: printableLine(name), description: printableLine(description), folders: members };
    });
  } catch (error) {
    if (!RoutesetterError.isInstance(error)) throw error;
    warn(error.message);
    return [];
  }
}

/** A path of the checkout without `.`; null when it leads out. */
function normal(path: string): string | null {
  const plain = posix.normalize(path).replace(/\/$/, "");
  if (plain.startsWith("/") || plain === ".." || plain.startsWith("../")) return null;
  return plain === "." ? "" : plain;
}
