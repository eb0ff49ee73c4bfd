import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, readdir, readFile, readlink, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { TaskFormatError } from "../contract/index.ts";
import { decodeUtf8 } from "./utf8.ts";

/** What belongs to a task: these files and everything under these folders. The rest of the folder is never looked at. */
const rootFiles = ["task.toml", "instruction.md", "README.md", "requirements.json", "trajectory.json", ".gitignore"];
const rootFolders = ["environment", "tests", "solution", "steps"];

/** A regular file of a task, or a link to one inside the folder. `path` is relative, with `/`. */
export type TaskFile = {
  readonly path: string;
  readonly size: number;
  readonly mode: number;
  readonly isLink: boolean;
};
export type TaskFolder = {
  /** As the caller named it; for messages. */
  readonly name: string;
  /** Absolute, links resolved. */
  readonly root: string;
  /** Sorted by code point of the path. */
  readonly files: readonly TaskFile[];
  /** Links inside that point to nothing. */
  readonly danglingLinks: readonly string[];
};

/** A task beyond these would take hours to digest: a file may claim terabytes that no disk holds. */
const maximumBytes = 16 * 2 ** 30;
const maximumFiles = 200_000;

/** Order of Python's `sorted` on strings, which Harbor's digest depends on. */
export const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/**
 * Lists what belongs to a task folder. Errors: TaskFormatError (`not_a_folder`, `link_leads_out`, `special_file`,
 * `unreadable`).
 */
export async function openTaskFolder(directory: string): Promise<TaskFolder> {
  const root = await realpath(directory).catch((cause: NodeJS.ErrnoException) => {
    throw fault(directory, "not_a_folder", `there is no such folder (${cause.code})`, "give the path of a task folder");
  });
  if (!(await stat(root)).isDirectory())
    throw fault(directory, "not_a_folder", "is not a folder", "give the path of a task folder");
  const files: TaskFile[] = [];
  const danglingLinks: string[] = [];
  let bytes = 0;
  const add = (file: TaskFile): void => {
    bytes += file.size;
    if (bytes > maximumBytes)
      throw fault(
        join(directory, file.path),
        "too_large",
        `takes the task over ${maximumBytes} bytes`,
        "make it smaller",
      );
    if (files.push(file) > maximumFiles)
      throw fault(directory, "too_large", `holds more than ${maximumFiles} files`, "keep them in an archive");
  };

  const visit = async (path: string): Promise<void> => {
    const absolute = join(root, path);
    const place = join(directory, path);
    const found = await lstat(absolute).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === "ENOENT" && !path.includes("\ufffd")) return null;
      throw fault(place, "unreadable", `cannot be read (${cause.code})`, "names must be UTF-8 and files readable");
    });
    if (found === null) return;
    if (found.isSymbolicLink()) {
      const target = await realpath(absolute).catch(() => null);
      if (target === null) {
        await refuseOutsideText(root, absolute, place);
        danglingLinks.push(path);
        return;
      }
      if (target !== root && !target.startsWith(root + sep)) throw leadsOut(place, await readlink(absolute));
      const targetStat = await stat(target);
      if (targetStat.isFile()) add({ path, size: targetStat.size, mode: targetStat.mode & 0o777, isLink: true });
      else if (!targetStat.isDirectory()) throw special(place);
    } else if (found.isDirectory()) {
      const names = await readdir(absolute).catch((cause: NodeJS.ErrnoException) => {
        throw fault(place, "unreadable", `cannot be listed (${cause.code})`, "make the folder readable");
      });
      for (const name of names) await visit(`${path}/${name}`);
    } else if (found.isFile()) add({ path, size: found.size, mode: found.mode & 0o777, isLink: false });
    else throw special(place);
  };
  for (const name of [...rootFiles, ...rootFolders]) await visit(name);
  files.sort((a, b) => byCodePoint(a.path, b.path));
  return { name: directory, root, files, danglingLinks };
}

/** The text of a file of the folder, without its byte order mark. Null when it is not there. */
export async function readText(
  folder: TaskFolder,
  path: string,
  maximum = 1 << 20,
): Promise<{ text: string; hasMark: boolean } | null> {
  const file = folder.files.find((candidate) => candidate.path === path);
  if (file === undefined) return null;
  const place = join(folder.name, path);
  if (file.size > maximum)
    throw fault(place, "too_large", `holds ${file.size} bytes, more than ${maximum}`, "make it smaller");
  const decoded = decodeUtf8(await readFile(join(folder.root, path)));
  if ("text" in decoded) return decoded;
  const { message, line } = decoded;
  throw new TaskFormatError({ code: "not_utf8", message, where: { file: place, line }, remedy: "save it as UTF-8" });
}

/** sha256 of a file's content, in hexadecimal. */
export async function fileDigest(folder: TaskFolder, file: TaskFile): Promise<string> {
  const absolute = join(folder.root, file.path);
  const hash = createHash("sha256");
  if (file.size <= 4 * 1024 * 1024) return hash.update(await readFile(absolute)).digest("hex");
  for await (const chunk of createReadStream(absolute)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

/** A dangling link is harmless only when its text stays inside the folder. */
async function refuseOutsideText(root: string, absolute: string, place: string): Promise<void> {
  const text = await readlink(absolute);
  const target = text.startsWith("/") ? join(text) : join(absolute, "..", text);
  if (!target.startsWith(root + sep)) throw leadsOut(place, text);
}

const fault = (file: string, code: string, message: string, remedy: string) =>
  new TaskFormatError({ code, message, where: { file }, remedy });
const leadsOut = (file: string, target: string) =>
  fault(file, "link_leads_out", `is a link that leads out of the task folder, to ${target}`, "copy the file in");
const special = (file: string) =>
  fault(file, "special_file", "is a device, FIFO or socket", "a task folder holds files, folders and links only");
