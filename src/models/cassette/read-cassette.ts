// Reads a cassette whole: entries with their lines, torn lines reported, damage refused with its place.
import { readFileSync, statSync } from "node:fs";
import { ConfigError } from "../../contract/index.ts";
import { type CassetteEntry, parseEntry } from "./entry.ts";

export type RecordedEntry = CassetteEntry & { readonly line: number };

export type ReadCassette = {
  readonly entries: readonly RecordedEntry[];
  /** Lines that a crash cut off while they were written. */
  readonly tornLines: readonly number[];
};

/** Throws ConfigError `cassette_damaged` with file and line, `cassette_missing` when there is no such file. */
export function readCassette(file: string): ReadCassette {
  const entries: RecordedEntry[] = [];
  const tornLines: number[] = [];
  let suspect: { line: number; problem: string } | null = null;
  for (const [index, { bytes, isWhole }] of splitLines(readBytes(file)).entries()) {
    if (bytes.length === 0) continue;
    const line = index + 1;
    const parsed = parseBytes(bytes);
    if ("repair" in parsed) {
      if (suspect) tornLines.push(suspect.line);
      suspect = null;
      continue;
    }
    if (suspect) break;
    if ("entry" in parsed) entries.push({ ...parsed.entry, line });
    else if (isWhole) suspect = { line, problem: parsed.problem };
    else tornLines.push(line);
  }
  if (suspect) throw damaged(file, suspect.line, suspect.problem);
  return { entries, tornLines };
}

function readBytes(file: string): Buffer {
  try {
    if (!statSync(file).isFile()) throw new Error("it is no regular file");
    return readFileSync(file);
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === "ENOENT";
    throw new ConfigError({
      code: isMissing ? "cassette_missing" : "cassette_unreadable",
      message: isMissing ? "there is no such cassette" : `the cassette can't be read: ${(cause as Error).message}`,
      where: { file },
      remedy: isMissing ? "record one first, or name the right file" : "name a file of JSON lines that you may read",
      cause,
    });
  }
}

function splitLines(bytes: Buffer): { bytes: Buffer; isWhole: boolean }[] {
  const lines: { bytes: Buffer; isWhole: boolean }[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(10, start);
    lines.push({ bytes: bytes.subarray(start, end === -1 ? bytes.length : end), isWhole: end !== -1 });
    start = end === -1 ? bytes.length : end + 1;
  }
  return lines;
}

function parseBytes(bytes: Buffer): ReturnType<typeof parseEntry> {
  try {
    return parseEntry(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return { problem: "is not UTF-8" };
  }
}

function damaged(file: string, line: number, problem: string): ConfigError {
  return new ConfigError({
    code: "cassette_damaged",
    message: `the line ${problem}`,
    where: { file, line },
    remedy: "restore the file, or delete this line and record its request again",
  });
}
