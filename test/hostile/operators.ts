// Named mutations of a sound folder held in memory. Each says what it does and where, and changes a copy.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export type Entry =
  | string
  | Uint8Array
  | { readonly link: string }
  | { readonly fifo: true }
  | { readonly folder: true }
  /** A file of this size without content on the disk. */
  | { readonly hole: number };
export type Folder = ReadonlyMap<string, Entry>;
export type Operator = { readonly name: string; apply(folder: Folder): Folder };

export const folderOf = (files: Record<string, Entry>): Folder => new Map(Object.entries(files));

export function writeFolder(directory: string, folder: Folder): void {
  for (const [path, entry] of folder) {
    const at = join(directory, path);
    mkdirSync(dirname(at), { recursive: true });
    if (typeof entry === "string" || entry instanceof Uint8Array) {
      writeFileSync(at, entry);
      if (/\.sh$/.test(path)) chmodSync(at, 0o755);
    } else if ("link" in entry) symlinkSync(entry.link, at);
    else if ("fifo" in entry) execFileSync("mkfifo", [at]);
    else if ("folder" in entry) mkdirSync(at, { recursive: true });
    else {
      writeFileSync(at, "");
      truncateSync(at, entry.hole);
    }
  }
}

function operator(name: string, change: (folder: Map<string, Entry>) => void): Operator {
  return {
    name,
    apply(folder) {
      const copy = new Map(folder);
      change(copy);
      return copy;
    },
  };
}
const bytesOf = (folder: Folder, path: string): Buffer => {
  const entry = folder.get(path);
  if (typeof entry === "string") return Buffer.from(entry);
  if (entry instanceof Uint8Array) return Buffer.from(entry);
  throw new Error(`${path} is no file of the base`);
};
const textOf = (folder: Folder, path: string): string => bytesOf(folder, path).toString("utf8");

export const put = (what: string, path: string, entry: Entry) =>
  operator(`${what}: ${path}`, (folder) => void folder.set(path, entry));
export const missing = (path: string) => operator(`missing: ${path}`, (folder) => void folder.delete(path));
export const empty = (path: string) => put("empty", path, "");
export const blank = (path: string) => put("blank", path, " \n\t\n\n");
export const bom = (path: string) =>
  operator(`byte order mark: ${path}`, (folder) => void folder.set(path, `\ufeff${textOf(folder, path)}`));
export const crlf = (path: string) =>
  operator(
    `Windows line ends: ${path}`,
    (folder) => void folder.set(path, textOf(folder, path).replaceAll("\n", "\r\n")),
  );
export const loneReturns = (path: string) =>
  operator(`lone carriage returns: ${path}`, (folder) => {
    folder.set(path, textOf(folder, path).replaceAll("\n", "\r"));
  });
export const truncated = (path: string, share = 0.5) =>
  operator(`truncated to ${share * 100} %: ${path}`, (folder) => {
    const bytes = bytesOf(folder, path);
    folder.set(path, bytes.subarray(0, Math.floor(bytes.length * share)));
  });
export const utf16 = (path: string) =>
  operator(`UTF-16: ${path}`, (folder) => {
    folder.set(path, Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(textOf(folder, path), "utf16le")]));
  });
export const latin1 = (path: string) =>
  operator(`Latin-1: ${path}`, (folder) => {
    folder.set(path, Buffer.concat([bytesOf(folder, path), Buffer.from("# caf\xe9\n", "latin1")]));
  });
export const nul = (path: string) =>
  operator(`NUL byte: ${path}`, (folder) => void folder.set(path, `${textOf(folder, path)}\0\n`));
export const gitLfs = (path: string) =>
  put(
    "Git LFS pointer",
    path,
    `version https://git-lfs.github.com/spec/v1\noid sha256:${"4d7a2146".repeat(8)}\nsize 12345\n`,
  );
export const garbage = (path: string) =>
  put("bytes of a compressed file", path, Buffer.from("1f8b0800000000000003cb48cdc9c95728cf2fca4901", "hex"));
export const huge = (path: string, bytes: number) => put(`hole of ${bytes} bytes`, path, { hole: bytes });
export const fifo = (path: string) => put("FIFO", path, { fifo: true });
export const asFolder = (path: string) => put("folder", path, { folder: true });
export const link = (path: string, target: string) => put(`link to ${target}`, path, { link: target });
/** Replaces a piece of the base's text; the piece must be there. */
export const edit = (what: string, path: string, from: string, to: string) =>
  operator(`${what}: ${path}`, (folder) => {
    const text = textOf(folder, path);
    if (!text.includes(from)) throw new Error(`${path} of the base does not hold ${from}`);
    folder.set(
      path,
      text.replace(from, () => to),
    );
  });
export const append = (what: string, path: string, more: string) =>
  operator(`${what}: ${path}`, (folder) => void folder.set(path, textOf(folder, path) + more));
/** Several at once. */
export const both = (...all: Operator[]): Operator => ({
  name: all.map((one) => one.name).join(" + "),
  apply: (folder) => all.reduce((changed, one) => one.apply(changed), folder),
});
