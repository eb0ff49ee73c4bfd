import type { Dirent } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { join, sep } from "node:path";

const skipped = new Set([".git", ".hg", ".svn", "node_modules", "__MACOSX", "__pycache__", ".venv", ".routesetter"]);
const mostEntries = 200_000;
const deepest = 24;

/** A folder with a skill's file in it. */
export type SkillPlace = { readonly folder: string; readonly file: string };
export type Walk = { readonly places: readonly SkillPlace[]; readonly warnings: readonly string[] };

/**
 * The skills below a folder, in order of paths, and what was passed over. No link is followed: one that leads to another
 * place in the folder is found there, one that leads out is refused.
 */
export async function findSkillPlaces(root: string): Promise<Walk> {
  const places: SkillPlace[] = [];
  const warnings: string[] = [];
  let left = mostEntries;
  const visit = async (folder: string, depth: number): Promise<void> => {
    let entries: Dirent[];
    try {
      entries = await readdir(join(root, folder), { withFileTypes: true });
    } catch (error) {
      warnings.push(`${folder || "."} can't be listed (${(error as NodeJS.ErrnoException).code})`);
      return;
    }
    left -= entries.length;
    if (left < 0) {
      warnings.push(`${folder || "."} and what comes after it is left out: more than ${mostEntries} files`);
      return;
    }
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    const inside = (name: string) => (folder === "" ? name : `${folder}/${name}`);
    const named = entries.filter(({ name }) => name.toLowerCase() === "skill.md");
    const file = named.find(({ name }) => name === "SKILL.md") ?? named[0];
    if (file) places.push({ folder, file: inside(file.name) });
    for (const { name } of named) if (name !== file?.name) warnings.push(`${inside(name)} stands beside ${file?.name}`);
    for (const entry of entries) {
      if (entry.isSymbolicLink() && entry !== file) {
        const reason = await linkProblem(root, join(root, inside(entry.name)));
        if (reason !== null) warnings.push(`${inside(entry.name)} ${reason} and is not followed`);
      }
      if (!entry.isDirectory() || skipped.has(entry.name)) continue;
      if (depth >= deepest) warnings.push(`${inside(entry.name)} lies deeper than ${deepest} folders and is left out`);
      else await visit(inside(entry.name), depth + 1);
    }
  };
  await visit("", 0);
  return { places, warnings };
}

/** Why a link must not be followed; null when it leads to a place inside. */
export async function linkProblem(root: string, path: string): Promise<string | null> {
  const target = await realpath(path).catch(() => null);
  if (target === null) return "is a link to nothing";
  const inside = await realpath(root);
  return target === inside || target.startsWith(inside + sep) ? null : "is a link that leads out of the folder";
}
