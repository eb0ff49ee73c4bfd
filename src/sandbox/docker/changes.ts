// What changed against the image. On this machine the written layer itself is read (nothing is lost); with an engine
// elsewhere, the engine's list of changes and its archives tell.
import { createHash } from "node:crypto";
import { accessSync, constants } from "node:fs";
import type { Readable } from "node:stream";
import type Docker from "dockerode";
import tar from "tar-stream";
import type { FileChange, FileEntry } from "../../contract/index.ts";
import { diffLayers } from "../box/diff-layers.ts";
import { FileView, noOpaqueDirectories } from "../box/file-view.ts";
import { readLayer } from "../box/layer-entries.ts";
import { statusIn } from "./archive.ts";

export type LayerPaths = { readonly upper: string; readonly lowers: readonly string[] };

/** The container's layers on this machine, or null when they can't be read. */
export function layersOf(details: Docker.ContainerInspectInfo): LayerPaths | null {
  const data = (details as unknown as { GraphDriver?: { Data?: { UpperDir?: string; LowerDir?: string } } }).GraphDriver
    ?.Data;
  if (!data?.UpperDir || !data.LowerDir) return null;
  const lowers = data.LowerDir.split(":");
  try {
    for (const path of [data.UpperDir, ...lowers]) accessSync(path, constants.R_OK | constants.X_OK);
  } catch {
    return null;
  }
  return { upper: data.UpperDir, lowers };
}

/** Files that the engine mounts into every container. */
const engineFiles = ["/etc/hosts", "/etc/hostname", "/etc/resolv.conf", "/dev/console", "/.dockerenv"];

export async function changesFromLayers(layers: LayerPaths, mountTargets: readonly string[]): Promise<FileChange[]> {
  const entries = await readLayer(layers.upper, (id) => id);
  for (const path of engineFiles) if (entries.get(path)?.size === 0) entries.delete(path);
  const lower = new FileView(
    layers.lowers,
    [],
    layers.lowers.map(() => noOpaqueDirectories),
  );
  try {
    return await diffLayers(entries, lower, (id) => id, new Set(withParents(mountTargets)));
  } finally {
    lower.close();
  }
}

const withParents = (paths: readonly string[]): string[] =>
  paths.flatMap((path) =>
    path
      .split("/")
      .slice(1)
      .map((_, index, parts) => `/${parts.slice(0, index + 1).join("/")}`),
  );

export async function changesFromEngine(
  container: Docker.Container,
  pristine: () => Promise<Docker.Container>,
  mountTargets: readonly string[],
): Promise<FileChange[]> {
  const listed = ((await container.changes()) ?? []) as { Path: string; Kind: 0 | 1 | 2 }[];
  const ignored = new Set([...engineFiles, ...withParents(mountTargets)]);
  const changes: FileChange[] = [];
  for (const { Path: path, Kind } of listed) {
    if (ignored.has(path)) continue;
    if (Kind === 2) {
      changes.push({ change: "removed", path });
      continue;
    }
    const entry = await entryOf(container, path);
    if (!entry) continue;
    if (Kind === 0) {
      const before = await entryOf(await pristine(), path);
      if (before && JSON.stringify(before) === JSON.stringify(entry)) continue;
    }
    changes.push({ change: Kind === 1 ? "added" : "modified", path, entry });
  }
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** One path as lstat would tell it, by an archive; only the first entry of a folder's archive is read. */
async function entryOf(container: Docker.Container, path: string): Promise<FileEntry | null> {
  if (!(await statusIn(container, path))) return null;
  const stream = (await container.getArchive({ path })) as Readable;
  const archive = tar.extract();
  stream.on("error", (error) => archive.destroy(error));
  stream.pipe(archive);
  try {
    for await (const entry of archive) {
      const { header } = entry;
      const type: FileEntry["type"] =
        header.type === "directory" || header.type === "symlink" || header.type === "fifo"
          ? header.type
          : header.type === "file" || header.type === "link"
            ? "file"
            : "device";
      const base = {
        path,
        type,
        mode: (header.mode ?? 0) & 0o7777,
        uid: header.uid ?? 0,
        gid: header.gid ?? 0,
        size: type === "file" ? (header.size ?? 0) : 0,
      };
      if (type === "symlink") return { ...base, target: header.linkname ?? "" };
      if (type !== "file") return base;
      const hash = createHash("sha256");
      for await (const chunk of entry) hash.update(chunk as Buffer);
      return { ...base, digest: `sha256:${hash.digest("hex")}` };
    }
    return null;
  } finally {
    stream.destroy();
  }
}
