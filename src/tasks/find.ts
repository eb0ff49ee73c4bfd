import type { Dirent } from "node:fs";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { RoutesetterError, TaskFormatError } from "../contract/index.ts";
import { byCodePoint } from "./folder.ts";
import { readTask } from "./read.ts";
import type { Task, TaskWarning } from "./task.ts";

/** A folder that is a task or means to be one; `error` says why it is none. */
export type FoundTask = { readonly path: string } & ({ readonly task: Task } | { readonly error: RoutesetterError });
export type FoundTasks = {
  readonly found: number;
  readonly loaded: readonly Task[];
  readonly rejected: readonly { readonly path: string; readonly error: RoutesetterError }[];
};

const skippedFolders = new Set([
  ...[".git", ".hg", ".svn", "node_modules", "__MACOSX", "__pycache__", ".venv", ".tox", ".routesetter"],
]);
/** What a killed `writeTask` may leave. */
const unfinished = /^\..+\.(?:partial|replaced)$/;
/** Below a task, these are its content: a task.toml in there is data. */
const contentFolders = new Set(["environment", "tests", "solution", "steps"]);

/** Reads all tasks below the paths, in order of names. For many, iterate `walkTasks` instead. */
export async function findTasks(paths: readonly string[]): Promise<FoundTasks> {
  const loaded: Task[] = [];
  const rejected: { path: string; error: RoutesetterError }[] = [];
  for await (const item of walkTasks(paths))
    if ("task" in item) loaded.push(item.task);
    else rejected.push({ path: item.path, error: item.error });
  return { found: loaded.length + rejected.length, loaded, rejected };
}

/**
 * Reads the tasks below the paths one by one; only their digests and names are kept. A path may be a task, its
 * task.toml, or a tree. A copy of a task met before, and another task of the same name, carry a warning.
 */
export async function* walkTasks(paths: readonly string[]): AsyncGenerator<FoundTask> {
  const byDigest = new Map<string, string>();
  const byName = new Map<string, string>();
  for await (const candidate of locateTasks(paths)) {
    if ("error" in candidate) {
      yield candidate;
      continue;
    }
    const { path } = candidate;
    try {
      const task = await readTask(path);
      const warnings: TaskWarning[] = [...candidate.warnings];
      const copy = byDigest.get(task.digest);
      const namesake = byName.get(task.id);
      if (copy !== undefined) warnings.push({ message: `is a copy of ${copy}`, file: "." });
      else if (namesake !== undefined)
        warnings.push({
          message: `has the name ${task.id}, as ${namesake} has`,
          file: "task.toml",
          field: "task.name",
        });
      if (copy === undefined) byDigest.set(task.digest, path);
      if (namesake === undefined) byName.set(task.id, path);
      yield { path, task: warnings.length === 0 ? task : { ...task, warnings: [...task.warnings, ...warnings] } };
    } catch (error) {
      yield { path, error: asRoutesetterError(error, path) };
    }
  }
}

type Candidate = { path: string; warnings: TaskWarning[] } | { path: string; error: RoutesetterError };

/** The folders below the paths that are tasks by their look, each once, without reading them. */
export async function* locateTasks(paths: readonly string[]): AsyncGenerator<Candidate> {
  const visited = new Set<string>();
  for (const path of paths) {
    const found = await stat(path).catch(() => null);
    if (found === null) yield { path, error: fault(path, "path_not_found", "is not there", "check the path") };
    else if (found.isDirectory()) yield* visit(path, visited);
    else if (basename(path) === "task.toml") yield* visit(dirname(path), visited, false);
    else yield { path, error: fault(path, "not_a_folder", "is not a folder", "give task folders or trees of them") };
  }
}

async function* visit(path: string, visited: Set<string>, descend = true): AsyncGenerator<Candidate> {
  let entries: Dirent[];
  try {
    const real = await realpath(path);
    if (visited.has(real)) return;
    visited.add(real);
    entries = await readdir(path, { withFileTypes: true });
  } catch (error) {
    yield {
      path,
      error: fault(
        path,
        "unreadable",
        `cannot be listed (${(error as NodeJS.ErrnoException).code})`,
        "make it readable",
      ),
    };
    return;
  }
  const verdict = await classify(path, entries);
  if (verdict !== null) yield verdict;
  if (!descend) return;
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  for (const name of folders.sort(byCodePoint))
    if (!skippedFolders.has(name) && !unfinished.test(name) && !(verdict !== null && contentFolders.has(name)))
      yield* visit(join(path, name), visited);
}

async function classify(path: string, entries: readonly Dirent[]): Promise<Candidate | null> {
  const names = new Set(entries.map((entry) => entry.name));
  const isFolder = (name: string) => entries.some((entry) => entry.name === name && entry.isDirectory());
  if (names.has("task.toml")) {
    const warnings: TaskWarning[] = names.has("task.yaml")
      ? [{ message: "stands beside task.toml and is ignored", file: "task.yaml" }]
      : [];
    return { path, warnings };
  }
  if (names.has("task.yaml") && ["run-tests.sh", "solution.sh", "solution.yaml"].some((name) => names.has(name))) {
    const text = await readFile(join(path, "task.yaml"), "utf8").catch(() => "");
    const place = join(path, "task.yaml");
    return /^instruction\s*:/m.test(text) || /^descriptions\s*:/m.test(text)
      ? {
          path,
          error: fault(place, "terminal_bench_1", "is a task of Terminal-Bench 1", "convert it: routesetter import"),
        }
      : { path, error: fault(place, "file_missing", "says nothing that makes a task", "write a task.toml") };
  }
  if (names.has("instruction.md") && isFolder("environment"))
    return { path, error: fault(join(path, "task.toml"), "file_missing", "is missing", "a task folder has one") };
  return null;
}

const fault = (file: string, code: string, message: string, remedy: string) =>
  new TaskFormatError({ code, message, where: { file }, remedy });

function asRoutesetterError(error: unknown, path: string): RoutesetterError {
  if (RoutesetterError.isInstance(error)) return error;
  return new TaskFormatError({
    code: "unreadable",
    message: `cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    where: { file: path },
    remedy: "check the folder's files and their permissions",
    cause: error,
  });
}
