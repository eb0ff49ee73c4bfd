// Reading, writing and copying through a FileView. Nothing here follows a link that the view has not resolved.
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  ftruncateSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  type Stats,
  statSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { type Directory, type FileView, NeedsMount, pathError } from "./file-view.ts";

const openDirectory = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const openNew = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const openExisting = constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Owner on the host. */
export type HostOwner = { readonly uid: number; readonly gid: number };

/** The content of a regular file; SandboxError `file_missing`, `not_a_file`, `file_too_large`. */
export function readFileIn(view: FileView, path: string, maximumBytes = Number.POSITIVE_INFINITY): Uint8Array {
  const found = view.find(path, "follow");
  if (found.status === null) throw pathError("file_missing", path, "does not exist");
  if (!found.status.isFile()) throw pathError("not_a_file", path, "is not a regular file");
  const fd = openSync(found.location, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const status = fstatSync(fd);
    if (!status.isFile()) throw pathError("not_a_file", path, "is not a regular file");
    if (status.size > maximumBytes) {
      throw pathError("file_too_large", path, `has ${status.size} bytes, more than the ${maximumBytes} asked for`);
    }
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Writes a file, with the directories above it; a link at `path` is followed inside the root. */
export function writeFileIn(
  view: FileView,
  path: string,
  content: string | Uint8Array,
  options: { owner: HostOwner; mode?: number; setOwner: boolean },
): void {
  const found = view.find(path, "follow");
  refuseReadOnly(found.parent, path);
  const { status } = found;
  if (status?.isDirectory()) throw pathError("not_a_file", path, "is a directory");
  if (status !== null && !status.isFile()) throw pathError("not_a_file", path, "is not a regular file");
  let fd: number;
  const fresh = status === null || found.level !== 0;
  if (fresh) {
    const { fd: directory, name } = placeFor(view, found.parent, found.name, options.owner);
    clearWhiteout(directory, name);
    fd = openSync(`/proc/self/fd/${directory}/${name}`, openNew, 0o600);
  } else {
    fd = openSync(found.location, openExisting);
    if (!fstatSync(fd).isFile()) {
      closeSync(fd);
      throw pathError("not_a_file", path, "is not a regular file");
    }
  }
  try {
    if (!fresh) ftruncateSync(fd);
    writeAll(fd, typeof content === "string" ? Buffer.from(content) : content);
    if (fresh || options.setOwner) {
      const owner = options.setOwner || status === null ? options.owner : status;
      fchownSync(fd, owner.uid, owner.gid);
    }
    if (fresh || options.mode !== undefined)
      fchmodSync(fd, options.mode ?? (status === null ? 0o644 : status.mode & 0o7777));
  } finally {
    closeSync(fd);
  }
}

function writeAll(fd: number, data: Uint8Array): void {
  for (let done = 0; done < data.length; ) done += writeSync(fd, data, done, data.length - done);
}

/** Makes `path` a directory (and those above it) when there is none. */
export function ensureDirectoryIn(view: FileView, path: string, owner: HostOwner, mode = 0o755): number {
  const found = view.find(path, "follow");
  if (found.directory !== null) {
    return found.directory.readOnly ? found.directory.levels[0]!.fd : topOf(view, found.directory);
  }
  if (found.status !== null) throw pathError("not_a_directory", path, "is not a directory");
  refuseReadOnly(found.parent, path);
  const place = placeFor(view, found.parent, found.name, owner);
  return makeDirectory(view, place.fd, place.name, owner, mode);
}

/** Copies a file or directory of the host in. Owners become `owner`; modes and links stay. */
export async function copyInto(view: FileView, source: string, path: string, owner: HostOwner): Promise<void> {
  const status = statSync(source);
  if (status.isDirectory()) {
    const fd = ensureDirectoryIn(view, path, owner, status.mode & 0o7777);
    refuseReadOnly(view.find(path, "follow").directory!, path);
    await copyChildren(view, source, fd, owner);
    return;
  }
  const found = view.find(path, "follow");
  refuseReadOnly(found.parent, path);
  if (found.status?.isDirectory()) throw pathError("not_a_file", path, "is a directory");
  const name = found.status === null ? found.name : found.path.slice(found.path.lastIndexOf("/") + 1);
  const place = placeFor(view, found.parent, name, owner);
  await copyEntry(view, source, status, place.fd, place.name, owner);
}

async function copyChildren(view: FileView, source: string, fd: number, owner: HostOwner): Promise<void> {
  for (const name of readdirSync(source)) {
    const child = join(source, name);
    await copyEntry(view, child, lstatSync(child), fd, name, owner);
  }
}

async function copyEntry(view: FileView, source: string, status: Stats, fd: number, name: string, owner: HostOwner) {
  const target = `/proc/self/fd/${fd}/${name}`;
  const existing = lstatSync(target, { throwIfNoEntry: false });
  if (status.isDirectory()) {
    if (existing !== undefined && !existing.isDirectory()) unlinkExisting(target, existing, true);
    const opened = view.mark();
    const inner =
      existing?.isDirectory() === true
        ? view.keep(openSync(target, openDirectory))
        : makeDirectory(view, fd, name, owner, status.mode & 0o7777);
    await copyChildren(view, source, inner, owner);
    view.release(opened);
    return;
  }
  if (existing?.isDirectory()) throw pathError("not_a_file", name, "is a directory, where a file is to be copied");
  if (existing !== undefined) unlinkSync(target);
  if (status.isSymbolicLink()) {
    symlinkSync(readlinkSync(source), target);
    lchownSync(target, owner.uid, owner.gid);
  } else if (status.isFile()) {
    await copyFile(source, target, constants.COPYFILE_EXCL);
    const copy = openSync(target, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      fchownSync(copy, owner.uid, owner.gid);
      fchmodSync(copy, status.mode & 0o7777);
    } finally {
      closeSync(copy);
    }
  }
}

/** Where `name` (which may name missing directories too) goes: a descriptor of its directory in the written layer. */
function placeFor(view: FileView, parent: Directory, name: string, owner: HostOwner): { fd: number; name: string } {
  let fd = topOf(view, parent);
  const parts = name.split("/");
  for (const part of parts.slice(0, -1)) fd = makeDirectory(view, fd, part, owner, 0o755);
  return { fd, name: parts[parts.length - 1]! };
}

/** A descriptor of the directory in the layer that is written, made there when only lower layers have it. */
function topOf(view: FileView, directory: Directory): number {
  if (directory.levels[0]!.level === 0) return directory.levels[0]!.fd;
  let current = view.root;
  let fd = current.levels[0]!.fd;
  for (const name of directory.path.split("/").filter(Boolean)) {
    const next = view.child(current, name).directory!;
    if (next.levels[0]!.level === 0) fd = next.levels[0]!.fd;
    else {
      const lower = statSync(`/proc/self/fd/${next.levels[0]!.fd}/.`);
      fd = makeDirectory(view, fd, name, lower, lower.mode & 0o7777);
    }
    current = next;
  }
  return fd;
}

function makeDirectory(view: FileView, fd: number, name: string, owner: HostOwner, mode: number): number {
  const target = `/proc/self/fd/${fd}/${name}`;
  const existing = lstatSync(target, { throwIfNoEntry: false });
  if (existing !== undefined && !existing.isDirectory()) throw new NeedsMount();
  if (existing !== undefined) return view.keep(openSync(target, openDirectory));
  mkdirSync(target, 0o700);
  const made = view.keep(openSync(target, openDirectory));
  fchownSync(made, owner.uid, owner.gid);
  fchmodSync(made, mode);
  return made;
}

function clearWhiteout(fd: number, name: string): void {
  const target = `/proc/self/fd/${fd}/${name}`;
  const existing = lstatSync(target, { throwIfNoEntry: false });
  if (existing !== undefined) unlinkExisting(target, existing, false);
}

function unlinkExisting(target: string, existing: Stats, directoryWanted: boolean): void {
  if (directoryWanted && existing.isCharacterDevice()) throw new NeedsMount();
  unlinkSync(target);
}

function refuseReadOnly(directory: Directory, path: string): void {
  if (directory.readOnly) throw pathError("read_only", path, "is on a read-only mount");
}
