import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { type RoutesetterError, TaskFormatError } from "../../contract/index.ts";
import { byCodePoint } from "../folder.ts";
import type { ForeignFormat } from "./conversion.ts";
import { licenceAmong } from "./foreign-folder.ts";

/** A folder that is somebody's task by its look, or means to be one. */
export type ForeignCandidate = {
  readonly path: string;
  /** Names below it that are tasks of their own. */
  readonly nested: readonly string[];
  /** The licence file of a folder above it, relative to the path that was searched. */
  readonly licence: string | null;
} & ({ readonly format: ForeignFormat; readonly notes: readonly string[] } | { readonly error: RoutesetterError });

const skipped = new Set([
  ".git",
  ".hg",
  ".svn",
  "node_modules",
  "__MACOSX",
  "__pycache__",
  ".venv",
  ".tox",
  ".routesetter",
]);
/** Below a task these are its content, whatever they look like. */
const contentFolders = new Set(["environment", "tests", "solution", "steps"]);
const mostFolders = 100_000;

/** The tasks in a tree, each once, in order of names; the root may itself be one, and tasks may lie in tasks. */
export async function findForeignTasks(root: string): Promise<ForeignCandidate[]> {
  const found: ForeignCandidate[] = [];
  const seen = new Set<string>();
  const visit = async (relative: string, licence: string | null): Promise<string[]> => {
    const path = relative === "" ? root : join(root, relative);
    const real = await realpath(path).catch(() => path);
    if (seen.has(real) || seen.size >= mostFolders) return [];
    seen.add(real);
    let entries: Dirent[];
    try {
      entries = await readdir(path, { withFileTypes: true });
    } catch (error) {
      const message = `cannot be listed (${(error as NodeJS.ErrnoException).code})`;
      found.push({ path, nested: [], licence, error: fault(path, "unreadable", message, "make it readable") });
      return [];
    }
    const names = entries.map(({ name }) => name);
    const own = licenceAmong(names);
    const covering = own === null ? licence : relative === "" ? own : `${relative}/${own}`;
    const look = lookOf(path, entries);
    const index = found.length;
    const nested: string[] = [];
    for (const name of entries
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
      .sort(byCodePoint)) {
      if (skipped.has(name) || /^\..+\.(?:partial|replaced)$/.test(name)) continue;
      if (look !== null && contentFolders.has(name)) continue;
      const below = await visit(relative === "" ? name : `${relative}/${name}`, covering);
      nested.push(...below.map((one) => (one === "" ? name : `${name}/${one}`)));
    }
    if (look === null) return nested;
    found.splice(index, 0, { path, nested, licence: covering, ...look });
    return [""];
  };
  const status = await stat(root).catch(() => null);
  if (status === null)
    return [
      { path: root, nested: [], licence: null, error: fault(root, "path_not_found", "is not there", "check the path") },
    ];
  if (!status.isDirectory())
    return [
      {
        path: root,
        nested: [],
        licence: null,
        error: fault(root, "not_a_folder", "is not a folder", "give a folder or a git repository"),
      },
    ];
  await visit("", null);
  return found;
}

type Look = { format: ForeignFormat; notes: string[] } | { error: RoutesetterError } | null;

function lookOf(path: string, entries: readonly Dirent[]): Look {
  const names = new Set(entries.map((entry) => entry.name));
  const isFolder = (name: string) => entries.some((entry) => entry.name === name && entry.isDirectory());
  const graded = ["run-tests.sh", "solution.sh", "solution.yaml"].some((name) => names.has(name));
  if (names.has("task.toml")) {
    const looksLikeOne =
      names.has("instruction.md") || isFolder("environment") || isFolder("steps") || isFolder("tests");
    const notes = names.has("task.yaml") ? ["task.yaml stands beside task.toml and is ignored"] : [];
    return looksLikeOne || !graded ? { format: "harbor", notes } : { format: "terminal-bench-1", notes };
  }
  if (names.has("task.yaml") && (graded || names.has("docker-compose.yaml") || names.has("Dockerfile")))
    return { format: "terminal-bench-1", notes: [] };
  if (names.has("instruction.md") && isFolder("environment"))
    return { error: fault(join(path, "task.toml"), "file_missing", "is missing", "a task folder has one") };
  if (names.has("run-tests.sh") && isFolder("tests"))
    return {
      error: fault(join(path, "task.yaml"), "file_missing", "is missing", "a task of Terminal-Bench 1 has one"),
    };
  if (names.has("task.md") && isFolder("environment"))
    return {
      error: fault(
        join(path, "task.md"),
        "format_unsupported",
        `${basename(path)} is a task.md folder`,
        "convert it to Harbor's layout",
      ),
    };
  return null;
}

const fault = (file: string, code: string, message: string, remedy: string) =>
  new TaskFormatError({ code, message, where: { file }, remedy });
