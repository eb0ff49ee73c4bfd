// Carries what a sandbox left to the host: no link followed anywhere in the path, nothing but files, directories and
// links that stay inside, and no more than the quota.
import {
  chmodSync,
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  symlinkSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { ArtefactError } from "../../contract/index.ts";
import { longestPath, turnsBack } from "../carried-paths.ts";
import type { FileView, Found } from "./file-view.ts";

type Quota = { bytes: number; files: number };

/** See SandboxHandle.copyOut. */
export async function copyOutOf(view: FileView, path: string, destination: string, quota: Quota): Promise<boolean> {
  if (path.split("/").includes("..")) throw refused("artefact_path", path, "has `..` in it");
  const found = findIn(view, path);
  if (found === null) return false;
  if (found.linkInPath !== null) throw refused("artefact_link", path, `leads through the link ${found.linkInPath}`);
  if (found.status === null) return false;
  if (found.status.isSymbolicLink()) throw refused("artefact_link", path, "is a link");
  mkdirSync(dirname(destination), { recursive: true });
  const left = { bytes: quota.bytes, files: quota.files };
  await carry(view, found, destination, { root: found.path, left, quota });
  return true;
}

/** Null where something else than a directory stands in the path: then there is nothing at it. */
function findIn(view: FileView, path: string): ReturnType<FileView["find"]> | null {
  try {
    return view.find(path, "refuse");
  } catch (error) {
    if ((error as { code?: unknown }).code === "not_a_directory") return null;
    throw error;
  }
}

type Context = { readonly root: string; readonly left: Quota; readonly quota: Quota };

async function carry(view: FileView, found: Found, destination: string, context: Context): Promise<void> {
  const status = found.status!;
  context.left.files -= 1;
  if (context.left.files < 0) throw refused("artefact_quota", found.path, `has more than ${context.quota.files} files`);
  if (Buffer.byteLength(found.path) > longestPath || Buffer.byteLength(destination) > longestPath)
    throw refused("artefact_path", `${found.path.slice(0, 100)}…`, "lies too deep");
  if (status.isSymbolicLink()) {
    const target = readlinkSync(found.location);
    const resolved = posix.normalize(posix.join(posix.dirname(found.path), target));
    const inside = resolved === context.root || resolved.startsWith(context.root === "/" ? "/" : `${context.root}/`);
    if (target.startsWith("/") || turnsBack(target) || !inside)
      throw refused("artefact_link", found.path, `is a link that leads out (${target})`);
    symlinkSync(target, destination);
  } else if (found.directory !== null) {
    mkdirSync(destination, { recursive: true, mode: 0o700 });
    for (const name of view.names(found.directory)) {
      const opened = view.mark();
      const child = view.child(found.directory, name);
      if (child.status !== null) await carry(view, child, join(destination, name), context);
      view.release(opened);
    }
    chmodSync(destination, (status.mode & 0o777) | 0o700);
  } else if (status.isFile()) {
    await carryFile(found, destination, context);
  } else {
    const kind = status.isFIFO() ? "a FIFO" : status.isSocket() ? "a socket" : "a device";
    throw refused("artefact_type", found.path, `is ${kind}`);
  }
}

async function carryFile(found: Found, destination: string, { left, quota }: Context): Promise<void> {
  const fd = openSync(found.location, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const target = await open(destination, "wx", 0o600).catch((error) => {
    closeSync(fd);
    throw error;
  });
  try {
    const status = fstatSync(fd);
    if (!status.isFile()) throw refused("artefact_type", found.path, "changed its type while it was read");
    const overQuota = (): ArtefactError =>
      refused("artefact_quota", found.path, `goes over the quota of ${quota.bytes} bytes`);
    if (status.size > left.bytes) throw overQuota();
    for await (const chunk of createReadStream("", { fd, autoClose: false, start: 0 })) {
      left.bytes -= (chunk as Buffer).length;
      if (left.bytes < 0) throw overQuota();
      await target.write(chunk as Buffer);
    }
    await target.chmod((status.mode & 0o777) | 0o600);
  } finally {
    await target.close();
    closeSync(fd);
  }
}

const refused = (code: string, path: string, what: string): ArtefactError =>
  new ArtefactError({
    code,
    message: `${path} ${what}; it is not carried over`,
    where: { file: path },
    details: { path },
  });
