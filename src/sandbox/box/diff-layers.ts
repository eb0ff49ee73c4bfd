// The changes of a sandbox against its image: what the written layer says, compared with what the image has at that path.
import { createHash } from "node:crypto";
import { createReadStream, readlinkSync } from "node:fs";
import type { FileChange, FileEntry } from "../../contract/index.ts";
import type { FileView, Found } from "./file-view.ts";
import type { LayerEntry } from "./layer-entries.ts";

/**
 * `lower` is the image's view, `owner` turns owners of the host into those inside. A path that ends as it began is no
 * change, whatever happened between. A removed directory is one change, its content is not listed.
 */
export async function diffLayers(
  entries: ReadonlyMap<string, LayerEntry>,
  lower: FileView,
  owner: (id: number) => number,
  mountTargets: ReadonlySet<string>,
): Promise<FileChange[]> {
  const changes: FileChange[] = [];
  for (const entry of entries.values()) {
    const before = lookUp(lower, entry.path);
    if (entry.whiteout) {
      if (before !== null) changes.push({ change: "removed", path: entry.path });
      continue;
    }
    if (before === null) {
      if (!(mountTargets.has(entry.path) && entry.size === 0)) changes.push(changed("added", entry));
    } else if (await differs(entry, before, owner)) changes.push(changed("modified", entry));
    if (entry.opaque && before?.directory) {
      const prefix = `${entry.path}/`;
      for (const name of lower.names(before.directory)) {
        if (!entries.has(prefix + name)) changes.push({ change: "removed", path: prefix + name });
      }
    }
  }
  return changes.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

function changed(change: "added" | "modified", { whiteout: _, opaque: __, ...entry }: LayerEntry): FileChange {
  return { change, path: entry.path, entry };
}

function lookUp(lower: FileView, path: string): Found | null {
  try {
    const found = lower.find(path, "refuse");
    return found.status === null || found.linkInPath !== null ? null : found;
  } catch (error) {
    if ((error as { code?: string }).code === "not_a_directory") return null;
    throw error;
  }
}

async function differs(entry: FileEntry, before: Found, owner: (id: number) => number): Promise<boolean> {
  const status = before.status!;
  if (typeOf(before) !== entry.type) return true;
  if (owner(status.uid) !== entry.uid || owner(status.gid) !== entry.gid) return true;
  if (entry.type === "symlink") return readlinkSync(before.location) !== entry.target;
  if ((status.mode & 0o7777) !== entry.mode || entry.xattrs !== undefined) return true;
  if (entry.type !== "file") return false;
  return status.size !== entry.size || (await digestOf(before.location)) !== entry.digest;
}

function typeOf({ status }: Found): FileEntry["type"] {
  if (status!.isFile()) return "file";
  if (status!.isDirectory()) return "directory";
  if (status!.isSymbolicLink()) return "symlink";
  return status!.isFIFO() ? "fifo" : status!.isSocket() ? "socket" : "device";
}

async function digestOf(location: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(location)) hash.update(chunk as Buffer);
  return `sha256:${hash.digest("hex")}`;
}
