import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";

/** The files of a task folder, for the gates that read and don't run. Paths are relative, with `/`, sorted. */
export type TaskFiles = {
  readonly paths: readonly string[];
  /** null when it isn't there, isn't text (UTF-8), is over 4 MiB or lies outside. */
  text(path: string): string | null;
  size(path: string): number;
};

/** A file of the task at its root, or in each of its steps (`steps/02-b/tests/test.sh`), where the root's is a stub. */
export function inEveryStep(files: TaskFiles, path: string): string[] {
  const own = files.paths.filter((one) => one !== path && one.replace(/^steps\/[^/]+\//, "") === path);
  return own.length > 0 ? own : files.paths.filter((one) => one === path);
}

/** The scripts that may want the network when a task is solved and graded. */
export const fetchingScripts = (files: TaskFiles): string[] =>
  ["tests/test.sh", "solution/solve.sh"].flatMap((path) => inEveryStep(files, path));

const ownFolders = ["environment", "solution", "tests", "steps"];
const largest = 4 * 1024 * 1024;

export function readTaskFiles(directory: string): TaskFiles {
  const paths: string[] = [];
  const visit = (prefix: string) => {
    for (const entry of readdirSync(join(directory, prefix), { withFileTypes: true })) {
      const path = prefix === "" ? entry.name : `${prefix}/${entry.name}`;
      if (entry.isDirectory() && (prefix !== "" || ownFolders.includes(entry.name))) visit(path);
      else if (!entry.isDirectory()) paths.push(path);
    }
  };
  visit("");
  paths.sort();
  const known = new Set(paths);
  const texts = new Map<string, string | null>();
  return {
    paths,
    size: (path) => (known.has(path) ? (statSync(join(directory, path), { throwIfNoEntry: false })?.size ?? 0) : 0),
    text(path) {
      if (!known.has(path)) return null;
      if (!texts.has(path)) texts.set(path, readText(directory, path));
      return texts.get(path) ?? null;
    },
  };
}

function readText(directory: string, path: string): string | null {
  try {
    const real = realpathSync(join(directory, path));
    const status = statSync(real);
    if (!status.isFile() || status.size > largest || !real.startsWith(`${realpathSync(directory)}/`)) return null;
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(real));
  } catch {
    return null;
  }
}
