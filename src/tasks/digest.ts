import { createHash } from "node:crypto";
import { fileDigest, openTaskFolder, readText, type TaskFile, type TaskFolder } from "./folder.ts";
import { IgnoreRules } from "./ignore-rules.ts";

/** What Harbor leaves out when the task has no `.gitignore`. */
const defaultIgnores = ["__pycache__/", "*.pyc", ".DS_Store", "*.swp", "*.swo", "*~"];
const rootFiles = ["task.toml", "instruction.md", "README.md", "trajectory.json"];
const rootFolders = ["environment/", "tests/", "solution/", "steps/"];
/** Every rule is held against every file. */
const maximumRuleBytes = 1 << 16;
const harborIgnoreScope = /^(?:steps\/[^/]+\/)?(?:tests|solution)\//;

/**
 * Harbor's digest of a task folder: SHA-256 over `path NUL sha256 newline` of every file that counts, in order of code
 * points, written `sha256:…`. Not counted: what `.gitignore` (or else the default list) and, in tests/ and solution/,
 * `.harborignore` name; requirements.json, which Harbor doesn't know.
 */
export async function taskDigest(directory: string | TaskFolder): Promise<string> {
  const folder = typeof directory === "string" ? await openTaskFolder(directory) : directory;
  const hash = createHash("sha256");
  for (const file of await countedFiles(folder)) hash.update(`${file.path}\0${await fileDigest(folder, file)}\n`);
  return `sha256:${hash.digest("hex")}`;
}

/** The files that the digest covers, in its order. */
export async function countedFiles(folder: TaskFolder): Promise<TaskFile[]> {
  const own = await readText(folder, ".gitignore", maximumRuleBytes);
  const rules = new IgnoreRules(own === null ? defaultIgnores : own.text.split("\n"));
  const excluded = await harborIgnored(folder);
  return folder.files.filter(
    ({ path }) =>
      (rootFiles.includes(path) || rootFolders.some((root) => path.startsWith(root))) &&
      !excluded(path) &&
      !rules.ignores(path),
  );
}

/** `.harborignore` files below tests/ and solution/: the rules of each folder on the way apply, the nearest last. */
async function harborIgnored(folder: TaskFolder): Promise<(path: string) => boolean> {
  const name = ".harborignore";
  const specs = new Map<string, IgnoreRules>();
  for (const { path } of folder.files)
    if (harborIgnoreScope.test(path) && path.endsWith(`/${name}`)) {
      const found = await readText(folder, path, maximumRuleBytes);
      specs.set(path.slice(0, -name.length), new IgnoreRules((found?.text ?? "").split("\n")));
    }
  return (path) => {
    if (path.endsWith(`/${name}`)) return true;
    if (specs.size === 0 || !harborIgnoreScope.test(path)) return false;
    const parts = path.split("/");
    for (let length = 1; length <= parts.length; length++) {
      const candidate = parts.slice(0, length).join("/") + (length < parts.length ? "/" : "");
      let isExcluded = false;
      for (let depth = 1; depth < length; depth++) {
        const at = `${parts.slice(0, depth).join("/")}/`;
        isExcluded = specs.get(at)?.decide(candidate.slice(at.length)) ?? isExcluded;
      }
      if (isExcluded) return true;
    }
    return false;
  };
}
