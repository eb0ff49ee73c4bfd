import { readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { TaskFormatError } from "../contract/index.ts";
import { stripCanary } from "./canary.ts";
import type { TaskConfiguration } from "./configuration.ts";
import { taskDigest } from "./digest.ts";
import { openTaskFolder, readText, type TaskFolder } from "./folder.ts";
import { parseConfiguration } from "./parse-configuration.ts";
import { parseRequirements } from "./read-requirements.ts";
import type { Requirements } from "./requirements.ts";
import type { Task, TaskScript, TaskStep, TaskWarning } from "./task.ts";
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

  const steps = await readSteps(folder, configuration, warnings);
  const instruction =
    steps.length > 0
      ? steps.map((step) => step.instruction).join("\n\n")
      : await readInstruction(folder, "instruction.md", warnings);
  const requirements =
    (await readRequirements(folder, "requirements.json", warnings)) ?? requirementsOfSteps(steps, directory);
  warnings.push(...(await scriptWarnings(folder)));

  const solve = configuration.environment.os === "windows" ? "solution/solve.bat" : "solution/solve.sh";
  return {
    directory: folder.root,
    id: configuration.task?.name ?? basename(folder.root),
    digest: await taskDigest(folder),
    configuration,
    instruction,
    solution: steps.length > 0 ? solutionOfSteps(steps) : has(folder, solve) ? scriptAt(solve) : null,
    partials: [...partialsIn(folder, ""), ...steps.flatMap(({ partials }) => partials)],
    requirements,
    steps,
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

async function readInstruction(folder: TaskFolder, path: string, warnings: TaskWarning[]): Promise<string> {
  const { text, hasMark } = await required(folder, path, "say in it what the agent is to do");
  if (hasMark)
    warnings.push({ message: "begins with a byte order mark, which the agent isn't shown", file: path, line: 1 });
  const stripped = stripCanary(text);
  if (stripped.trim() === "") warnings.push({ message: "says nothing", file: path });
  return stripped;
}

async function readRequirements(
  folder: TaskFolder,
  path: string,
  warnings: TaskWarning[],
): Promise<Requirements | null> {
  const found = await readText(folder, path, maximumRequirementBytes);
  if (found === null) return null;
  const parsed = parseRequirements(found.text, join(folder.name, path));
  warnings.push(...parsed.warnings.map((warning) => ({ ...warning, file: path })));
  return parsed.requirements;
}

async function readSteps(
  folder: TaskFolder,
  configuration: TaskConfiguration,
  warnings: TaskWarning[],
): Promise<TaskStep[]> {
  const steps: TaskStep[] = [];
  for (const step of configuration.steps) {
    const place = `steps/${step.name}/`;
    const solve = `${place}solution/solve.sh`;
    steps.push({
      name: step.name,
      configuration: step,
      instruction: await readInstruction(folder, `${place}instruction.md`, warnings),
      solution: has(folder, solve) ? scriptAt(solve) : null,
      partials: partialsIn(folder, place),
      requirements: await readRequirements(folder, `${place}requirements.json`, warnings),
    });
  }
  return steps;
}

/** Of a task whose steps have theirs: all of them together. */
function requirementsOfSteps(steps: readonly TaskStep[], directory: string): Requirements | null {
  const own = steps.flatMap(({ requirements }) => requirements ?? []);
  if (own.length === 0) return null;
  const all = own.flatMap(({ requirements }) => requirements);
  const twice = all.find(({ id }, index) => all.findIndex((other) => other.id === id) !== index);
  if (own.length < steps.length || twice)
    throw new TaskFormatError({
      code: "requirements_invalid",
      message: twice ? `${twice.id} stands in two steps` : "some steps have requirements and some have none",
      where: { file: join(directory, "steps") },
      remedy: "give every step a requirements.json, with ids that count on from step to step",
    });
  return {
    version: 1,
    artefacts: [...new Set(own.flatMap(({ artefacts }) => artefacts))],
    executes: [...new Set(own.flatMap(({ executes }) => executes))],
    requirements: all,
  };
}

/** The first step's script stands for the whole: there is a solution when every step has one. */
const solutionOfSteps = (steps: readonly TaskStep[]): TaskScript | null =>
  steps.every(({ solution }) => solution !== null) ? (steps[0]?.solution ?? null) : null;

const scriptAt = (path: string): TaskScript => ({ name: basename(path).replace(/\.(?:sh|bat)$/, ""), path });

/** `solution/partial_*.sh` below a place; of a step, named after it. */
function partialsIn(folder: TaskFolder, place: string): TaskScript[] {
  const step = place.split("/")[1];
  return folder.files
    .map(({ path }) => path)
    .filter(
      (path) =>
        path.startsWith(`${place}solution/`) && /^partial_[^/]+\.sh$/.test(path.slice(`${place}solution/`.length)),
    )
    .map((path) => ({ ...scriptAt(path), ...(step ? { name: `${step}/${scriptAt(path).name}` } : {}) }));
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
