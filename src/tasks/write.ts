import { chmod, lstat, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { TaskFormatError } from "../contract/index.ts";
import { byCodePoint } from "./folder.ts";

/** A file of a task folder; `path` is relative, with `/`. Mode by default 0o755 for scripts (.sh), 0o644 for the rest. */
export type TaskFolderFile = { readonly path: string; readonly content: string | Uint8Array; readonly mode?: number };

/**
 * Writes a task folder whole or not at all: into a folder beside it that is then renamed. The same files again change
 * nothing and resolve to false. A folder with other content is only replaced with `replace`. A writer that was killed
 * leaves at most `.NAME.partial` or `.NAME.replaced` beside it, which the next call tidies; one writer at a time for
 * each folder. Errors: TaskFormatError (`path_invalid`, `folder_exists`, `not_a_folder`).
 */
export async function writeTask(
  directory: string,
  files: readonly TaskFolderFile[],
  options: { replace?: boolean } = {},
): Promise<boolean> {
  const wanted = [...files].sort((a, b) => byCodePoint(a.path, b.path));
  checkPaths(directory, wanted);
  const partial = join(dirname(directory), `.${basename(directory)}.partial`);
  const replaced = join(dirname(directory), `.${basename(directory)}.replaced`);
  await mkdir(dirname(directory), { recursive: true }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== "EEXIST" && cause.code !== "ENOTDIR") throw cause;
    throw new TaskFormatError({
      code: "not_a_folder",
      message: "is a file or lies below one, and a folder is to be made there",
      where: { file: dirname(directory) },
      remedy: "write elsewhere",
      cause,
    });
  });
  await rm(partial, { recursive: true, force: true });
  if (await exists(replaced)) {
    if (await exists(directory)) await rm(replaced, { recursive: true });
    else await rename(replaced, directory);
  }

  const isThere = await exists(directory);
  if (isThere && (await isSame(directory, wanted))) return false;
  if (isThere && !options.replace && !(await isEmpty(directory)))
    throw new TaskFormatError({
      code: "folder_exists",
      message: "is there already, with other content",
      where: { file: directory },
      remedy: "remove it, write elsewhere, or ask to replace it",
    });

  for (const file of wanted) {
    const path = join(partial, file.path);
    await mkdir(dirname(path), { recursive: true, mode: 0o755 });
    await writeFile(path, file.content);
    await chmod(path, modeOf(file));
  }
  await chmodFolders(partial);
  if (isThere) await rename(directory, replaced);
  await rename(partial, directory);
  if (isThere) await rm(replaced, { recursive: true });
  return true;
}

const modeOf = (file: TaskFolderFile): number => file.mode ?? (/\.(?:sh|bash)$/.test(file.path) ? 0o755 : 0o644);
const exists = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  );
const isEmpty = async (directory: string) =>
  (await lstat(directory)).isDirectory() && (await readdir(directory)).length === 0;

function checkPaths(directory: string, files: readonly TaskFolderFile[]): void {
  const refuse = (path: string, message: string) => {
    throw new TaskFormatError({
      code: "path_invalid",
      message,
      where: { file: directory, field: path },
      remedy: "give relative paths with /, each once, without . and ..",
    });
  };
  const seen = new Set<string>();
  for (const { path } of files) {
    const parts = path.split("/");
    if (parts.some((part) => part === "" || part === "." || part === "..") || /[\\\0\p{Surrogate}]/u.test(path))
      refuse(path, "is no path of a file inside the folder");
    if (seen.has(path)) refuse(path, "is given twice");
    seen.add(path);
  }
  for (const { path } of files)
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1))
      if (seen.has(path.slice(0, at))) refuse(path, `lies below ${path.slice(0, at)}, which is a file`);
}

/** The umask has no say in what a task folder is. */
async function chmodFolders(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  for (const entry of await readdir(directory, { withFileTypes: true }))
    if (entry.isDirectory()) await chmodFolders(join(directory, entry.name));
}

async function isSame(directory: string, wanted: readonly TaskFolderFile[]): Promise<boolean> {
  const present: string[] = [];
  const visit = async (path: string): Promise<boolean> => {
    for (const entry of await readdir(join(directory, path), { withFileTypes: true })) {
      const own = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!(await visit(own))) return false;
      } else if (!entry.isFile()) return false;
      else present.push(own);
    }
    return true;
  };
  if (!(await lstat(directory)).isDirectory() || !(await visit("")) || present.length !== wanted.length) return false;
  present.sort(byCodePoint);
  for (const [index, file] of wanted.entries()) {
    if (present[index] !== file.path) return false;
    const path = join(directory, file.path);
    if (((await lstat(path)).mode & 0o777) !== modeOf(file)) return false;
    if (!(await readFile(path)).equals(Buffer.from(file.content as Uint8Array))) return false;
  }
  return true;
}
