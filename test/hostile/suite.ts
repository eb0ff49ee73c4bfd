// Runs one operator over one base through a real reader, under a deadline, and holds the outcome against the table.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect } from "vitest";
import { RoutesetterError } from "../../src/contract/index.ts";
import { removeTree } from "../../src/sandbox/index.ts";
import { type Folder, type Operator, writeFolder } from "./operators.ts";

/** What a reader made of the input: what it tells the user of repairs. */
export type Read = { readonly warnings: readonly string[] };
export type Expected =
  | { readonly code: string; readonly file?: string; readonly line?: number; readonly field?: string; says?: RegExp }
  | { readonly warns: RegExp }
  /** Nothing is wrong with it: it is read as it stands, without a word. */
  | "read";
export type HostileCase = { readonly operator: Operator; readonly expected: Expected };
export type HostileKind = {
  readonly kind: string;
  readonly base: Folder;
  /** Reads the folder through the public reader. */
  read(directory: string): Promise<Read>;
  readonly cases: readonly HostileCase[];
};

export const rejects = (
  code: string,
  file?: string,
  place: { line?: number; field?: string; says?: RegExp } = {},
): Expected => ({ code, ...(file === undefined ? {} : { file }), ...place });
export const warns = (pattern: RegExp): Expected => ({ warns: pattern });

const deadlineMilliseconds = 10_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
export const controlCharacters = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

export async function outcomeOf({ base, read }: HostileKind, operator: Operator): Promise<Read | RoutesetterError> {
  const directory = mkdtempSync(join(tmpdir(), "hostile-"));
  try {
    writeFolder(directory, operator.apply(base));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error("still reading at the deadline")), deadlineMilliseconds);
    });
    try {
      return await Promise.race([read(directory), late]);
    } finally {
      clearTimeout(timer);
    }
  } catch (error) {
    if (RoutesetterError.isInstance(error)) return error;
    throw error;
  } finally {
    await removeTree(directory);
  }
}

export async function hold(kind: HostileKind, { operator, expected }: HostileCase): Promise<void> {
  const outcome = await outcomeOf(kind, operator);
  if (RoutesetterError.isInstance(outcome)) {
    expect(expected, outcome.message).toMatchObject({ code: outcome.code });
    const wanted = expected as Extract<Expected, { code: string }>;
    if (wanted.file !== undefined)
      expect(outcome.where.file?.replace(/\/$/, "").endsWith(`/${wanted.file}`), outcome.where.file).toBe(true);
    if (wanted.line !== undefined) expect(outcome.where.line, outcome.message).toBe(wanted.line);
    if (wanted.field !== undefined) expect(outcome.where.field).toBe(wanted.field);
    if (wanted.says !== undefined) expect(outcome.message).toMatch(wanted.says);
    expect(outcome.remedy).not.toBe("");
    expect(outcome.message).not.toMatch(controlCharacters);
    expect(outcome.message.length).toBeLessThan(6500);
    if (wanted.file !== undefined) expect(outcome.message).toContain(basename(wanted.file));
    return;
  }
  if (expected === "read") expect(outcome.warnings).toEqual([]);
  else {
    expect("warns" in expected, `was read, with ${JSON.stringify(outcome.warnings)}`).toBe(true);
    expect(outcome.warnings.join("\n")).toMatch((expected as { warns: RegExp }).warns);
  }
}
