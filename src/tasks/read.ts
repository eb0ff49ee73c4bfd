import { readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { TaskFormatError } from "../contract/index.ts";
import { stripCanary } from "./canary.ts";
import type { TaskConfiguration } from "./configuration.ts";
import { taskDigest } from "./digest.ts";
import { openTaskFolder, readText, type TaskFolder } from "./folder.ts";
import { parseConfiguration } from "./parse-configuration.ts";
import { parseRequirements } from "./read-requirements.ts";
import type { Task, TaskScript, TaskWarning } from "./task.ts";
import { verifierImage } from "./verifier-image.ts";

const maximumRequirementBytes = 16 << 20;

/**
 * Reads and validates a task folder as Harbor does: task.toml, environment/ (or a prebuilt image), an instruction (or
 * one for each step), a test script (unless the verifier's own image brings it). Multi-step, Windows and compose tasks
 * are read too; `requirementsOf` says what they need. Errors: TaskFormatError.
 */
export async function readTask(directory: string): Promise<Task> {
  const folder = await openTaskFolder(directory);
  const warnings: TaskWarning[] = folder.danglingLinks.map((file) => ({ message: "is a link to nothing", file }));

  const text = await required(folder, "task.toml", "a task folder has one");
  const { configuration, warnings: own } = parseConfiguration(
    text.hasMark ? `\ufeff${text.text}` : text.text,
    join(directory, "task.toml"),
  );
  warnings.push(...own.map((warning) => ({ ...warning, file: "task.toml" })));
  await checkEnvironment(folder, configuration);
  checkTests(folder, configuration);

  const instruction = await readInstruction(folder, configuration, warnings);
  const found = await readText(folder, "requirements.json", maximumRequirementBytes);
  let requirements: Task["requirements"] = null;
  if (found !== null) {
    const parsed = parseRequirements(found.text, join(directory, "requirements.json"));
    requirements = parsed.requirements;
    warnings.push(...parsed.warnings.map((warning) => ({ ...warning, file: "requirements.json" })));
  }
  warnings.push(...(await scriptWarnings(folder)));

  const script = (path: string): TaskScript => ({ name: basename(path).replace(/\.(?:sh|bat)$/, ""), path });
  const solve = configuration.environment.os === "windows" ? "solution/solve.bat" : "solution/solve.sh";
  return {
    directory: folder.root,
    id: configuration.task?.name ?? basename(folder.root),
    digest: await taskDigest(folder),
    configuration,
    instruction,
    solution: has(folder, solve) ? script(solve) : null,
    partials: folder.files
      .filter(({ path }) => /^solution\/partial_[^/]+\.sh$/.test(path))
      .map(({ path }) => script(path)),
    requirements,
    warnings,
  };
}

const has = (folder: TaskFolder, path: string) => folder.files.some((file) => file.path === path);

const missing = (folder: TaskFolder, path: string, remedy: string) =>
  new TaskFormatError({
    code: "file_missing",
    message: "is missing",
    where: { file: join(folder.name, path) },
    remedy,
  });

async function required(folder: TaskFolder, path: string, remedy: string) {
  const found = await readText(folder, path);
  if (found === null) throw missing(folder, path, remedy);
  return found;
}

async function checkEnvironment(folder: TaskFolder, configuration: TaskConfiguration): Promise<void> {
  const found = await stat(join(folder.root, "environment")).catch(() => null);
  if (found?.isDirectory() || configuration.environment.docker_image !== undefined) return;
  throw missing(folder, "environment/", "give the folder from which the image is built, or [environment].docker_image");
}

function checkTests(folder: TaskFolder, configuration: TaskConfiguration): void {
  const hasFile = (path: string) => has(folder, path);
  const script = configuration.environment.os === "windows" ? "tests/test.bat" : "tests/test.sh";
  if (hasFile(script)) return;
  for (const step of configuration.steps.length > 0 ? configuration.steps : [undefined]) {
    const own = step === undefined ? script : `steps/${step.name}/${script}`;
    if (!hasFile(own) && verifierImage(configuration, hasFile, step).ownImage === null)
      throw missing(folder, own, "every task needs a test script, unless its verifier's own image brings it");
  }
}

async function readInstruction(
  folder: TaskFolder,
  configuration: TaskConfiguration,
  warnings: TaskWarning[],
): Promise<string> {
  const paths =
    configuration.steps.length === 0
      ? ["instruction.md"]
      : configuration.steps.map((step) => `steps/${step.name}/instruction.md`);
  const parts: string[] = [];
  for (const path of paths) {
    const { text, hasMark } = await required(folder, path, "say in it what the agent is to do");
    if (hasMark)
      warnings.push({ message: "begins with a byte order mark, which the agent isn't shown", file: path, line: 1 });
    const stripped = stripCanary(text);
    if (stripped.trim() === "") warnings.push({ message: "says nothing", file: path });
    parts.push(stripped);
  }
  return parts.join("\n\n");
}

/** Windows line ends and byte order marks break shebangs, here-documents and Dockerfiles. */
async function scriptWarnings(folder: TaskFolder): Promise<TaskWarning[]> {
  const warnings: TaskWarning[] = [];
  for (const { path, size } of folder.files) {
    if (!/\.(?:sh|bash)$|(?:^|\/)Dockerfile[^/]*$/.test(path) || size > 1024 * 1024) continue;
    const bytes = await readFile(join(folder.root, path));
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
      warnings.push({
        message: "begins with a byte order mark: its first line is not understood",
        file: path,
        line: 1,
      });
    const carriage = bytes.indexOf("\r\n");
    if (carriage !== -1)
      warnings.push({
        message: "has Windows line ends (CRLF): commands get a carriage return at their end",
        file: path,
        line: bytes.subarray(0, carriage).toString("latin1").split("\n").length,
      });
  }
  return warnings;
}
