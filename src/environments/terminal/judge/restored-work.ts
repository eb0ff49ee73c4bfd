// Takes out of the agent's sandbox what a restored verification keeps: whole folders where everything in them is new
// and kept, single files elsewhere.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ArtefactError, type FileChange, type FileEntry, type SandboxHandle } from "../../../contract/index.ts";
import { hostStorage } from "../workspace.ts";
import type { CarriedWork } from "./carried-work.ts";
import type { Quota } from "./collect-artefacts.ts";
import { isBelowAny } from "./path-within.ts";

/** Errors: ArtefactError when the kept changes are over the quota, SandboxError. */
export async function collectRestoredWork(
  agent: SandboxHandle,
  keep: readonly FileChange[],
  dropped: readonly string[],
  destination: string,
  quota: Quota,
): Promise<CarriedWork> {
  await hostStorage(() => mkdir(destination, { recursive: true }));
  const size = keep.reduce((sum, { entry }) => sum + (entry?.type === "file" ? entry.size : 0), 0);
  if (size > quota.bytes || keep.length > quota.files)
    throw new ArtefactError({
      code: "artefact_quota",
      message: `the changed files hold ${size} bytes in ${keep.length} entries; ${quota.bytes} bytes in ${quota.files} are carried over`,
    });
  const whole = wholeFolders(keep, dropped);
  const files: { path: string; source: string }[] = [];
  const absent: string[] = [];
  const folders: FileEntry[] = [];
  const links: { path: string; target: string }[] = [];
  const owned: FileEntry[] = [];
  for (const { change, path, entry } of keep) {
    if (change === "removed" || !entry) absent.push(path);
    else if (entry.type === "symlink") links.push({ path, target: entry.target ?? "" });
    else if (whole.inside(path)) owned.push(...(needsOwner(entry) ? [entry] : []));
    else if (entry.type === "directory" && !whole.roots.has(path)) folders.push(entry);
    else {
      const source = join(destination, String(files.length));
      if (!(await agent.copyOut(path, source, quota))) continue;
      if (change === "modified") absent.push(path);
      files.push({ path, source });
      if (needsOwner(entry)) owned.push(entry);
    }
  }
  return { files, absent, folders, links, owned };
}

/** Folders that can be taken at once: added, and nothing in them is a link, left behind or special. */
function wholeFolders(keep: readonly FileChange[], dropped: readonly string[]) {
  const mixed = new Set<string>();
  const block = (path: string) => {
    for (
      let end = path.lastIndexOf("/");
      end > 0 && !mixed.has(path.slice(0, end));
      end = path.lastIndexOf("/", end - 1)
    )
      mixed.add(path.slice(0, end));
  };
  for (const path of dropped) block(path);
  for (const { path, entry } of keep) if (entry?.type === "symlink") block(path);
  const candidates = new Set<string>();
  for (const { change, path, entry } of keep)
    if (change === "added" && entry?.type === "directory" && !mixed.has(path)) candidates.add(path);
  const roots = new Set([...candidates].filter((path) => !isBelowAny(path, candidates)));
  return { roots, inside: (path: string) => isBelowAny(path, roots) };
}

const needsOwner = (entry: FileEntry) =>
  entry.uid !== 0 || entry.gid !== 0 || (entry.mode & 0o7000) !== 0 || (entry.mode & 0o400) === 0;
