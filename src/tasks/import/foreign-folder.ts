import { createHash } from "node:crypto";
import type { Dirent } from "node:fs";
import { lstat, readdir, readFile, readlink, realpath, stat } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { TaskFormatError } from "../../contract/index.ts";
import { byCodePoint } from "../folder.ts";
import type { ImportNote } from "./conversion.ts";

export type ForeignFile = { readonly path: string; readonly content: Buffer; readonly mode: number };
export type ForeignFolder = {
  /** As the caller named it; for messages. */
  readonly name: string;
  readonly files: ReadonlyMap<string, ForeignFile>;
  /** sha256 over paths and bytes. */
  readonly digest: string;
  readonly notes: readonly ImportNote[];
};

const maximumBytes = 512 * 2 ** 20;
const maximumFiles = 20_000;
const neverCopied = new Set([
  ".git",
  ".hg",
  ".svn",
  "__MACOSX",
  "__pycache__",
  ".DS_Store",
  "Thumbs.db",
  ".routesetter",
]);

/**
 * Every file of a folder, bounded; links inside become what they point to. Version control, caches and `skip` (tasks of
 * their own below) are left out. Errors: TaskFormatError (`link_leads_out`, `special_file`, `unreadable`, `too_large`,
 * `path_invalid`).
 */
export async function readForeignFolder(
  directory: string,
  skip: ReadonlySet<string> = new Set(),
): Promise<ForeignFolder> {
  const root = await realpath(directory);
  const files = new Map<string, ForeignFile>();
  const notes: ImportNote[] = [];
  let bytes = 0;

  const add = async (path: string, absolute: string, size: number, mode: number) => {
    bytes += size;
    if (bytes > maximumBytes) throw fault(directory, path, "too_large", `takes the folder over ${maximumBytes} bytes`);
    if (files.size >= maximumFiles)
      throw fault(directory, path, "too_large", `is one of more than ${maximumFiles} files`);
    files.set(path, { path, content: await readFile(absolute), mode: mode & 0o777 });
  };

  const visit = async (path: string, absolute: string, ancestors: readonly string[]): Promise<void> => {
    let entries: Dirent[];
    try {
      entries = await readdir(absolute, { withFileTypes: true });
    } catch (error) {
      throw fault(directory, path, "unreadable", `cannot be listed (${(error as NodeJS.ErrnoException).code})`);
    }
    for (const entry of entries.sort((a, b) => byCodePoint(a.name, b.name))) {
      const own = path === "" ? entry.name : `${path}/${entry.name}`;
      if (neverCopied.has(entry.name) || skip.has(own)) continue;
      if (/[\\\0\ufffd]/.test(entry.name)) throw fault(directory, own, "path_invalid", "has a name that is no path");
      await visitEntry(own, join(absolute, entry.name), ancestors);
    }
  };

  const visitEntry = async (path: string, absolute: string, ancestors: readonly string[]): Promise<void> => {
    const found = await lstat(absolute).catch((error: NodeJS.ErrnoException) => {
      throw fault(directory, path, "unreadable", `cannot be read (${error.code})`);
    });
    if (found.isFile()) return add(path, absolute, found.size, found.mode);
    if (found.isDirectory()) return visit(path, absolute, [...ancestors, absolute]);
    if (!found.isSymbolicLink()) throw fault(directory, path, "special_file", "is a device, FIFO or socket");
    const text = await readlink(absolute);
    const target = await realpath(absolute).catch(() => null);
    const lexical = target ?? (text.startsWith("/") ? text : join(absolute, "..", text));
    if (lexical !== root && !lexical.startsWith(root + sep))
      throw fault(directory, path, "link_leads_out", `is a link that leads out of the task folder, to ${text}`);
    if (target === null) {
      notes.push({ message: `is a link to nothing (${text}) and was left out`, file: path });
      return;
    }
    const status = await stat(target);
    if (status.isDirectory()) {
      if (target === root || ancestors.some((one) => one === target || one.startsWith(target + sep)))
        throw fault(directory, path, "link_leads_out", `is a link to a folder that holds it (${text})`);
      notes.push({ message: `is a link to ${text}, and became a copy of it`, file: path });
      return visit(path, target, [...ancestors, target]);
    }
    if (!status.isFile()) throw fault(directory, path, "special_file", "links to a device, FIFO or socket");
    notes.push({ message: `is a link to ${text}, and became a copy of it`, file: path });
    await add(path, target, status.size, status.mode);
  };

  await visit("", root, [root]);
  const hash = createHash("sha256");
  for (const { path, content } of [...files.values()].sort((a, b) => byCodePoint(a.path, b.path)))
    hash.update(`${path}\0${createHash("sha256").update(content).digest("hex")}\n`);
  return { name: directory, files, digest: `sha256:${hash.digest("hex")}`, notes };
}

const licenceName = /^(?:LICEN[CS]E|COPYING|UNLICENSE)(?:[.-][\w.-]+)?$/i;

/** The licence file among the names of a folder's root, or null. */
export const licenceAmong = (names: Iterable<string>): string | null =>
  [...names].sort().find((name) => licenceName.test(basename(name)) && !name.includes("/")) ?? null;

const fault = (directory: string, path: string, code: string, message: string) =>
  new TaskFormatError({
    code,
    message,
    where: { file: join(directory, path) },
    remedy:
      code === "link_leads_out"
        ? "copy what it points to into the folder"
        : "a task folder holds readable files, folders and links between them, and is small",
  });
