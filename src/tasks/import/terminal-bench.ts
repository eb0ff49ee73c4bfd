// A Terminal-Bench 1 folder as a Harbor task folder, with Harbor's own mapping.
import { basename, join } from "node:path";
import { TaskFormatError } from "../../contract/index.ts";
import { parseDockerfile } from "../../sandbox/index.ts";
import type { TaskFolderFile } from "../write.ts";
import { formatConfiguration } from "../write-configuration.ts";
import type { Conversion, ImportNote } from "./conversion.ts";
import { type ForeignFile, type ForeignFolder, licenceAmong } from "./foreign-folder.ts";
import { repairFiles } from "./repair-files.ts";
import { type ComposeReading, readCompose } from "./terminal-bench-compose.ts";
import { testScriptFrom } from "./terminal-bench-script.ts";
import { readTerminalBenchSettings } from "./terminal-bench-settings.ts";
import { YamlDocument } from "./yaml-document.ts";

/** Errors: TaskFormatError with file, line, field and remedy. */
export function convertTerminalBench(folder: ForeignFolder): Conversion {
  const place = (path: string) => join(folder.name, path);
  const repairs: ImportNote[] = [...folder.notes];
  const missing = (path: string, remedy: string) =>
    new TaskFormatError({ code: "file_missing", message: "is missing", where: { file: place(path) }, remedy });
  const required = (path: string, remedy: string): ForeignFile => {
    const found = folder.files.get(path);
    if (found === undefined) throw missing(path, remedy);
    return found;
  };

  const settings = readTerminalBenchSettings(
    new YamlDocument(required("task.yaml", "a task of Terminal-Bench 1 has one").content, place("task.yaml")),
  );
  if (folder.files.has("solution.yaml") && !folder.files.has("solution.sh"))
    throw new TaskFormatError({
      code: "solution_unsupported",
      message: "is a solution as keystrokes, which Harbor tasks have no place for",
      where: { file: place("solution.yaml") },
      remedy: "write the solution as solution.sh",
    });
  const runTests = required("run-tests.sh", "it is what grades the task");
  const { compose, name: composeName } = composeOf(folder, place);
  const dockerfile = (compose?.kind === "one" && compose.dockerfile) || "Dockerfile";
  const found = folder.files.get(dockerfile);
  const image = compose?.kind === "one" ? compose.image : null;
  if (found === undefined && image === null && compose?.kind !== "many")
    throw missing(dockerfile, "give a Dockerfile, or name an image in docker-compose.yaml");
  if (composeName !== null && compose?.kind === "one")
    repairs.push({
      message:
        compose.dockerfile === null && image === null
          ? "names no image; the Dockerfile is taken"
          : "has one service, which became the Dockerfile",
      file: composeName,
    });

  const files = new Map<string, ForeignFile>();
  const put = (path: string, from: ForeignFile, content: Buffer | string = from.content) =>
    void files.set(path, { path, content: Buffer.from(content), mode: from.mode });
  const copied = found === undefined ? [] : copiedSources(found.content.toString("utf8"));
  for (const file of folder.files.values()) {
    const { path } = file;
    if (["task.yaml", "run-tests.sh", dockerfile, composeName].includes(path)) continue;
    const isTest = path.startsWith("tests/");
    const isSolution = path === "solution.sh" || path === "solution.yaml" || path.startsWith("solution/");
    if (isTest) put(path, file);
    else if (path === "solution.sh") put("solution/solve.sh", file);
    else if (path.startsWith("solution/")) put(path, file);
    else if (!isSolution) put(`environment/${path}`, file);
    if ((isTest || isSolution) && copied.some((source) => path === source || path.startsWith(`${source}/`))) {
      put(`environment/${path}`, file);
      repairs.push({
        message: "is copied into the image by the Dockerfile, and so stands in environment/, too",
        file: path,
      });
    }
  }
  if (found !== undefined || image !== null) {
    const text = found?.content.toString("utf8") ?? `FROM ${image}\n`;
    const variables = { TEST_DIR: "/tests", ...(compose?.kind === "one" ? compose.variables : {}) };
    const lines = Object.entries(variables).map(([key, value]) => `ENV ${key}=${JSON.stringify(value)}\n`);
    put("environment/Dockerfile", found ?? runTests, `${text.replace(/\r?\n*$/, "\n")}${lines.join("")}`);
  }
  if (compose?.kind === "many" && composeName !== null) {
    const kept = folder.files.get(composeName) as ForeignFile;
    put("environment/docker-compose.yaml", kept, kept.content.toString("utf8").replace(/^(\s+)client:/m, "$1main:"));
  }
  if (settings.sameShell)
    repairs.push({ message: "run_tests_in_same_shell: the tests run in a shell of their own here", file: "task.yaml" });
  const script = runTests.content.toString("utf8").replace(/^\ufeff/, "");
  put("tests/test.sh", runTests, testScriptFrom(script, settings.parser));
  repairs.push({ message: "became tests/test.sh; its exit status is the reward", file: "run-tests.sh" });
  if (settings.parser !== "pytest")
    repairs.push({ message: `parser ${settings.parser} is not known; the exit status decides`, file: "task.yaml" });

  const repaired = repairFiles(files.values());
  const configuration = formatConfiguration(settings.configuration);
  return {
    name: basename(folder.name),
    files: [
      { path: "task.toml", content: configuration },
      { path: "instruction.md", content: settings.instruction.replace(/\n*$/, "\n") },
      ...repaired.files,
    ] satisfies TaskFolderFile[],
    source: { format: "terminal-bench-1", digest: folder.digest, licence: licenceAmong(folder.files.keys()) },
    repairs: [...repairs, ...repaired.repairs],
    cannotRun: compose?.kind === "many" ? compose.reason : null,
  };
}

function composeOf(
  folder: ForeignFolder,
  place: (path: string) => string,
): { compose: ComposeReading | null; name: string | null } {
  const name = ["docker-compose.yaml", "docker-compose.yml", "compose.yaml"].find((one) => folder.files.has(one));
  if (name === undefined) return { compose: null, name: null };
  return { compose: readCompose(new YamlDocument(folder.files.get(name)!.content, place(name))), name };
}

/** What the Dockerfile copies from its context, without `./` and `/` at the end. */
const copiedSources = (text: string): string[] =>
  parseDockerfile(text).instructions.flatMap((instruction) =>
    (instruction.keyword === "COPY" || instruction.keyword === "ADD") && instruction.from === null
      ? instruction.sources.map((source) => source.replace(/^\.?\//, "").replace(/\/(?:\*)?$/, ""))
      : [],
  );
