// A Harbor task folder of somebody else: copied whole, its files repaired, task.toml in the spelling of today.
import { basename, join } from "node:path";
import { parse, stringify } from "smol-toml";
import { TaskFormatError } from "../../contract/index.ts";
import { modernise } from "../legacy-configuration.ts";
import { fieldName, parseConfiguration } from "../parse-configuration.ts";
import { decodeUtf8 } from "../utf8.ts";
import type { Conversion, ImportNote } from "./conversion.ts";
import { type ForeignFolder, licenceAmong } from "./foreign-folder.ts";
import { repairFiles } from "./repair-files.ts";

/** Errors: TaskFormatError with file, line, field and remedy. */
export function convertHarbor(folder: ForeignFolder): Conversion {
  const place = join(folder.name, "task.toml");
  const source = folder.files.get("task.toml");
  if (source === undefined)
    throw new TaskFormatError({
      code: "file_missing",
      message: "is missing",
      where: { file: place },
      remedy: "a task folder of Harbor has one",
    });
  const decoded = decodeUtf8(source.content);
  if (!("text" in decoded))
    throw new TaskFormatError({
      code: "not_utf8",
      message: decoded.message,
      where: { file: place, line: decoded.line },
      remedy: "save it as UTF-8",
    });
  const { configuration } = parseConfiguration(decoded.text, place);
  const { text, notes } = modernText(decoded.text);
  const repaired = repairFiles(folder.files.values());
  const services = [...folder.files.keys()].find((path) => /^environment\/(?:docker-)?compose\.ya?ml$/.test(path));
  return {
    name: basename(folder.name),
    files: repaired.files.map((file) => (file.path === "task.toml" ? { ...file, content: text } : file)),
    source: { format: "harbor", digest: folder.digest, licence: licenceAmong(folder.files.keys()) },
    repairs: [...folder.notes, ...repaired.repairs, ...notes],
    cannotRun:
      configuration.environment.os === "windows"
        ? "it is a Windows task, and sandboxes here run Linux"
        : services !== undefined
          ? `${services} asks for services beside the agent's, and a sandbox here is one machine`
          : null,
  };
}

/** The same text unless it holds old spellings; then it is written anew, and comments are lost. */
function modernText(text: string): { text: string; notes: ImportNote[] } {
  const table = parse(text, { maxDepth: 100, integersAsBigInt: "asNeeded" });
  const notes: ImportNote[] = [];
  modernise(
    table,
    (path, message) => void notes.push({ message: `${fieldName(path)}: ${message}`, file: "task.toml" }),
  );
  return { text: notes.length === 0 ? text : stringify(table), notes };
}
