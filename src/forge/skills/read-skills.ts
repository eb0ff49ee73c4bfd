// Skills as they come: folders with a SKILL.md, checkouts of them, plain Markdown. Read leniently, refused by name.
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, posix } from "node:path";
import { RoutesetterError, TaskFormatError } from "../../contract/index.ts";
import { readTextFile } from "../../tasks/index.ts";
import { findSkillPlaces, linkProblem, type SkillPlace } from "./find-skills.ts";
import { readFrontMatter } from "./front-matter.ts";
import { readGroups } from "./marketplace.ts";
import type { FoundSkills, RejectedSkill, Skill } from "./skill.ts";
import { describeMarkdown, skillFields } from "./skill-fields.ts";
import { skillFiles } from "./skill-files.ts";

const maximumBytes = 1 << 20;

/**
 * Reads every skill at a path: a folder of skills, a checkout, one skill's folder, or a Markdown file that is read as
 * one. `source` is kept with each. What can't be read is rejected with file, line, reason and remedy, and the others are
 * read all the same. Errors: TaskFormatError `path_not_found`.
 */
export async function readSkills(path: string, options: { source?: string } = {}): Promise<FoundSkills> {
  const status = await stat(path).catch(() => null);
  if (status === null) throw fault("path_not_found", path, "is not there", "check the path");
  const isFile = !status.isDirectory();
  const root = isFile ? dirname(path) : path;
  const warnings: string[] = [];
  let places: readonly SkillPlace[];
  if (isFile) places = [{ folder: "", file: basename(path) }];
  else {
    const walk = await findSkillPlaces(root);
    places = walk.places;
    warnings.push(...walk.warnings);
  }
  const folders = new Set(places.map(({ folder }) => folder));
  const skills: Skill[] = [];
  const rejected: RejectedSkill[] = [];
  const byName = new Map<string, string>();
  for (const place of places) {
    try {
      const plain = isFile && basename(path).toLowerCase() !== "skill.md";
      const skill = await readSkill(root, place, { folders, plain, source: options.source ?? path });
      const namesake = byName.get(skill.name);
      if (namesake === undefined) byName.set(skill.name, skill.file);
      const more = namesake === undefined ? [] : [`has the name ${skill.name}, as ${namesake} has`];
      skills.push({ ...skill, warnings: [...skill.warnings, ...more] });
    } catch (error) {
      rejected.push(rejection(error, place.file));
    }
  }
  const groups = isFile ? [] : readGroups(root, skills, (message) => warnings.push(message));
  return { found: places.length, skills, rejected, groups, warnings };
}

type Reading = { folders: ReadonlySet<string>; plain: boolean; source: string };

async function readSkill(
  root: string,
  { folder, file }: SkillPlace,
  { folders, plain, source }: Reading,
): Promise<Skill> {
  const place = join(root, file);
  const link = await linkProblem(root, place);
  if (link !== null) throw fault("skill_link", place, link, "copy the file in");
  const remedy = "write Markdown with a front matter that has name and description";
  const written = readTextFile(place, { error: TaskFormatError, code: "skill_unreadable", remedy, maximumBytes });
  if (written === null) throw fault("skill_unreadable", place, "is not there", remedy);
  const warnings: string[] = [];
  const text = written.text.replaceAll("\r\n", "\n");
  if (written.hasMark) warnings.push("begins with a byte order mark, which is left out");
  if (text !== written.text) warnings.push("has Windows line ends (CRLF), read as line feeds");
  const found = readFrontMatter(text);
  if (found !== null && "message" in found)
    throw new TaskFormatError({
      code: "front_matter_invalid",
      message: found.message,
      where: { file: place, line: found.line },
      remedy: "correct the YAML at this place; quote values that hold a colon",
    });
  const body = found?.body ?? text;
  if (found === null) warnings.push("has no front matter; name and description are made from its text");
  if (found?.repaired) warnings.push("its front matter is no YAML as it stands; values are read as quoted");
  const folderName = folder === "" ? basename(await realpath(root)) : posix.basename(folder);
  const fallback = plain ? basename(file).replace(/\.[^.]*$/, "") : folderName;
  const made = found === null ? { description: describeMarkdown(body) } : found.fields;
  const fields = skillFields(made, fallback, (message) => found !== null && warnings.push(message));
  if (fields === null) throw fault("description_missing", place, "has no description", remedy);
  const content = plain
    ? await skillFiles(root, "", folders, basename(file))
    : await skillFiles(root, folder, new Set([...folders].filter((one) => one !== folder)));
  const { licence, ...rest } = fields;
  const statement = { statement: licence, file: await licenceFile(root, folder) };
  return { ...rest, folder, file, body, licence: statement, ...content, source, warnings };
}

/** The nearest licence file, from the skill's folder up to the root. */
async function licenceFile(root: string, folder: string): Promise<string | null> {
  for (let at = folder; ; at = at.includes("/") ? posix.dirname(at) : "") {
    const names = await readdir(join(root, at)).catch(() => [] as string[]);
    const name = names.sort().find((one) => /^(?:licen[cs]e|copying)(?:[.-][\w.-]+)?$/i.test(one));
    if (name !== undefined) return posix.join(at, name);
    if (at === "") return null;
  }
}

function rejection(error: unknown, file: string): RejectedSkill {
  if (!RoutesetterError.isInstance(error))
    return { file, line: null, reason: `can't be read: ${String(error)}`, remedy: "check the folder's permissions" };
  return { file, line: error.where.line ?? null, reason: error.message, remedy: error.remedy };
}

const fault = (code: string, file: string, message: string, remedy: string) =>
  new TaskFormatError({ code, message, where: { file }, remedy });
