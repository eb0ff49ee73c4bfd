// A build context as data: every file with its mode and digest, links as links, .dockerignore applied. What it says is
// what the image's identity is made of.
import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import {
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { SandboxError } from "../../../contract/index.ts";
import { ignoreMatcher } from "./ignore.ts";

export type ContextEntry = {
  /** Relative to the context, forward slashes. */
  readonly path: string;
  readonly type: "file" | "directory" | "symlink";
  readonly mode: number;
  readonly size: number;
  /** sha256 of a file's content. */
  readonly digest: string | null;
  /** A small file's content, as it was hashed. */
  readonly content: Buffer | null;
  readonly target: string | null;
};
export type BuildContext = {
  readonly directory: string;
  /** Sorted by path; parents in front of children. */
  readonly entries: readonly ContextEntry[];
  /** null when there is no Dockerfile. */
  readonly dockerfile: string | null;
  /** sha256 over paths, types, modes and contents, the Dockerfile's among them. */
  readonly digest: string;
};

const keptInMemory = 1 << 20;
/** Every rule of .dockerignore is held against every path. */
const maximumRuleBytes = 1 << 16;
/** A file that only claims to be this large would be read for hours. */
const maximumContextBytes = 16 * 2 ** 30;

export function readBuildContext(directory: string): BuildContext {
  let ignore: (path: string) => boolean = () => false;
  let dockerfile: string | null = null;
  const rules = ignoreRules(directory);
  if (rules !== null) ignore = ignoreMatcher(rules);
  const entries: ContextEntry[] = [];
  let left = maximumContextBytes;
  const hash = createHash("sha256");
  const walk = (prefix: string): void => {
    const names = readdirSync(join(directory, prefix)).sort((a, b) => (a < b ? -1 : 1));
    for (const name of names) {
      const path = prefix === "" ? name : `${prefix}/${name}`;
      const absolute = join(directory, path);
      const status = lstatSync(absolute);
      const kept = path === "Dockerfile" || !ignore(path);
      if (status.isDirectory()) {
        if (kept) entries.push(entryOf(path, "directory", status.mode));
        walk(path);
        continue;
      }
      if (!kept) continue;
      if (status.isSymbolicLink()) {
        entries.push({ ...entryOf(path, "symlink", 0o777), target: readlinkSync(absolute) });
      } else if (status.isFile()) {
        left -= status.size;
        if (left < 0)
          throw refusal(
            absolute,
            `takes the build context over ${maximumContextBytes} bytes`,
            "leave out what is large",
          );
        const content = status.size <= keptInMemory ? readFileSync(absolute) : null;
        if (path === "Dockerfile") dockerfile = dockerfileText(content, status.size, absolute);
        const digest = content ? createHash("sha256").update(content).digest("hex") : digestOf(absolute);
        entries.push({ ...entryOf(path, "file", status.mode), size: content?.length ?? status.size, digest, content });
      } else
        throw new SandboxError({
          code: "image_build_failed",
          message: "the build context holds something that is neither file, folder nor link",
          where: { file: absolute },
          remedy: "remove it or name it in .dockerignore",
        });
    }
  };
  try {
    walk("");
  } catch (error) {
    if (SandboxError.isInstance(error)) throw error;
    throw new SandboxError({
      code: "image_build_failed",
      message: `the build context can't be read: ${(error as Error).message}`,
      where: { file: directory },
      remedy: "check the folder and its permissions",
      cause: error,
    });
  }
  for (const entry of entries)
    hash.update(JSON.stringify([entry.path, entry.type, entry.mode, entry.size, entry.digest, entry.target]));
  return { directory, entries, dockerfile, digest: hash.digest("hex") };
}

const refusal = (file: string, message: string, remedy: string): SandboxError =>
  new SandboxError({ code: "image_build_failed", message, where: { file }, remedy });

/** The text of .dockerignore, a link followed only within the context; null when there is none. */
function ignoreRules(directory: string): string | null {
  const file = join(directory, ".dockerignore");
  const status = statSync(file, { throwIfNoEntry: false });
  if (status === undefined || !realpathSync(file).startsWith(`${realpathSync(directory)}/`)) return null;
  if (!status.isFile() || status.size > maximumRuleBytes)
    throw refusal(file, `is no regular file of at most ${maximumRuleBytes} bytes`, "write patterns, one a line");
  return readFileSync(file, "utf8");
}

function dockerfileText(content: Buffer | null, size: number, file: string): string {
  if (content === null) throw refusal(file, `holds ${size} bytes, more than ${keptInMemory}`, "make it smaller");
  if (isUtf8(content)) return content.toString("utf8");
  throw refusal(file, "is not UTF-8", "save it as UTF-8");
}

const entryOf = (path: string, type: ContextEntry["type"], mode: number): ContextEntry => ({
  path,
  type,
  mode: mode & 0o7777,
  size: 0,
  digest: null,
  content: null,
  target: null,
});

function digestOf(path: string): string {
  const hash = createHash("sha256");
  const file = openSync(path, "r");
  try {
    const buffer = Buffer.allocUnsafe(1 << 20);
    for (let count = readSync(file, buffer); count > 0; count = readSync(file, buffer))
      hash.update(buffer.subarray(0, count));
  } finally {
    closeSync(file);
  }
  return hash.digest("hex");
}
