import { parse, TomlDate, TomlError } from "smol-toml";
import type { z } from "zod";
import { TaskFormatError, verificationModeSchema } from "../contract/index.ts";
import { type TaskConfiguration, taskConfigurationSchema, taskSchemaVersion } from "./configuration.ts";
import { modernise } from "./legacy-configuration.ts";
import { type Path, type Position, positionAt, TomlLocator } from "./locate-toml.ts";
import type { TaskWarning } from "./task.ts";

type Issue = { path: Path; message: string };
type Table = Record<string, unknown>;

const knownVersions = ["1.0", "1.1", "1.2", "1.3", taskSchemaVersion];

/**
 * Reads the text of a task.toml. `file` is its name in messages. Legacy spellings, unknown keys and a byte order mark
 * are warnings. Errors: TaskFormatError (`toml_syntax`, `configuration_invalid`) with file, line, column and field;
 * `details.issues` lists all that was wrong.
 */
export function parseConfiguration(
  text: string,
  file = "task.toml",
): { configuration: TaskConfiguration; warnings: TaskWarning[] } {
  const root = toJson(parseToml(text, file)) as Table;
  let locator: TomlLocator | undefined;
  const locate = (path: Path): Position | undefined => {
    locator ??= new TomlLocator(text);
    return locator.find(path);
  };
  const warnings: TaskWarning[] = [];
  const errors: Issue[] = [];
  const warn = (path: Path, message: string) => {
    const line = locate(path)?.line;
    warnings.push({ message, file, ...(line === undefined ? {} : { line }), field: fieldName(path) });
  };

  if (text.charCodeAt(0) === 0xfeff) warnings.push({ message: "begins with a byte order mark", file, line: 1 });
  modernise(root, (path, message, kind) => (kind === "error" ? errors.push({ path, message }) : warn(path, message)));
  dropUnusableVerification(root, warn);

  let result = taskConfigurationSchema.safeParse(root);
  for (let round = 0; round < 100 && !result.success; round++) {
    const unknown = unknownKeys(result.error);
    const quoted = quotedNumbers(root, result.error);
    if (unknown.length === 0 && quoted.length === 0) break;
    for (const path of quoted) {
      warn(path, `"${path.at(-1)}" is a number in quotes`);
      replace(root, path, (value) => Number(value));
    }
    for (const path of unknown) {
      warn(path, `unknown key "${path.at(-1)}" is ignored (data of your own belongs under [metadata])`);
      replace(root, path, () => undefined);
    }
    result = taskConfigurationSchema.safeParse(root);
  }
  if (!result.success) for (const issue of result.error.issues) errors.push(flatten(issue));
  if (errors.length > 0 || !result.success) throw invalid(errors, file, locate);

  const version = result.data.schema_version;
  if (!knownVersions.includes(version))
    warn(["schema_version"], `schema ${version} is not known; read as ${taskSchemaVersion}`);
  warnings.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  return { configuration: result.data, warnings };
}

function parseToml(text: string, file: string): unknown {
  try {
    return parse(text, { maxDepth: 100, integersAsBigInt: "asNeeded" });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const message = (error.message.split("\n")[0] ?? "").replace("Invalid TOML document: ", "");
    throw new TaskFormatError({
      code: "toml_syntax",
      message: `not valid TOML: ${message}`,
      where: { file, line: error.line, column: error.column },
      remedy: "correct the syntax at this place",
      cause: error,
    });
  }
}

/** Dates and whole numbers beyond 2^53 become text, as do nan and inf under [metadata], so that the value is JSON. */
function toJson(value: unknown, isFree = false): unknown {
  if (value instanceof TomlDate) return value.toISOString();
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number" && isFree && !Number.isFinite(value)) return String(value);
  if (Array.isArray(value)) return value.map((item) => toJson(item, isFree));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, toJson(item, isFree || key === "metadata")]),
  );
}

function dropUnusableVerification(root: Table, warn: (path: Path, message: string) => void): void {
  const metadata = root.metadata;
  if (typeof metadata !== "object" || metadata === null || !("verification" in metadata)) return;
  if (verificationModeSchema.safeParse(metadata.verification).success) return;
  warn(
    ["metadata", "verification"],
    `verification ${JSON.stringify(metadata.verification)} is none of ${verificationModeSchema.options.join(", ")}; ignored`,
  );
  delete metadata.verification;
}

type ZodIssue = z.ZodError["issues"][number];

function unknownKeys(error: z.ZodError): Path[] {
  return error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...(issue.path as Path), key]) : [],
  );
}

function quotedNumbers(root: unknown, error: z.ZodError): Path[] {
  return error.issues.flatMap((issue) => {
    if (issue.code !== "invalid_type" || !["number", "int"].includes(issue.expected)) return [];
    const path = issue.path as Path;
    const value = path.reduce<unknown>((table, key) => (table as Table)[key], root);
    return typeof value === "string" && /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(value) ? [path] : [];
  });
}

/** Changes the value at a path in place; undefined removes it. */
function replace(root: unknown, path: Path, change: (value: unknown) => unknown): void {
  const table = path.slice(0, -1).reduce<unknown>((at, key) => (at as Table)[key], root) as Table;
  const key = path.at(-1) as string;
  const value = change(table[key]);
  if (value === undefined) delete table[key];
  else table[key] = value;
}

function flatten(issue: ZodIssue): Issue {
  const path = issue.path as Path;
  if (issue.code === "invalid_union") return { path, message: "has the wrong type" };
  return { path, message: issue.message.replace(/^Invalid input: /, "") };
}

export const fieldName = (path: Path): string =>
  path.reduce<string>((text, key) => (typeof key === "number" ? `${text}[${key}]` : text ? `${text}.${key}` : key), "");

function invalid(
  errors: readonly Issue[],
  file: string,
  locate: (path: Path) => Position | undefined,
): TaskFormatError {
  const placed = errors.map((issue) => ({ ...issue, position: locate(issue.path) }));
  placed.sort((a, b) => (a.position?.line ?? 0) - (b.position?.line ?? 0));
  const first = placed[0] as (typeof placed)[number];
  const more = placed.length - 1;
  const quoted = /expected string, received (number|boolean)/.test(first.message);
  return new TaskFormatError({
    code: "configuration_invalid",
    message: first.message + (more > 0 ? ` (and ${more} more)` : ""),
    where: { file, ...(first.position ?? positionAt("", 0)), field: fieldName(first.path) },
    remedy: quoted
      ? "write the value in quotes"
      : `give ${fieldName(first.path) || "the file"} as schema ${taskSchemaVersion} of task.toml has it`,
    details: {
      issues: placed.map(({ path, message, position }) => ({
        field: fieldName(path),
        message,
        line: position?.line ?? null,
        column: position?.column ?? null,
      })),
    },
  });
}
