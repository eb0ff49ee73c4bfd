import type { Conversion } from "./conversion.ts";
import type { ForeignCandidate } from "./find-foreign-tasks.ts";
import { readForeignFolder } from "./foreign-folder.ts";
import { convertHarbor } from "./harbor.ts";
import { convertTerminalBench } from "./terminal-bench.ts";

/** Reads a foreign task and gives it as a Harbor task folder; nothing is written. Errors: RoutesetterError. */
export async function convertForeignTask(candidate: ForeignCandidate): Promise<Conversion> {
  if ("error" in candidate) throw candidate.error;
  const folder = await readForeignFolder(candidate.path, new Set(candidate.nested));
  const conversion = candidate.format === "harbor" ? convertHarbor(folder) : convertTerminalBench(folder);
  const file = candidate.format === "harbor" ? "task.toml" : "task.yaml";
  const notes = [
    ...candidate.notes.map((message) => ({ message, file })),
    ...candidate.nested.map((path) => ({ message: "is a task of its own and was left out of this one", file: path })),
  ];
  const licence = conversion.source.licence ?? candidate.licence;
  return { ...conversion, source: { ...conversion.source, licence }, repairs: [...notes, ...conversion.repairs] };
}

/** The digest of a candidate's files, by which copies are told; null when they can't be read. */
export async function digestOfCandidate({ path, nested }: ForeignCandidate): Promise<string | null> {
  try {
    return (await readForeignFolder(path, new Set(nested))).digest;
  } catch {
    return null;
  }
}
