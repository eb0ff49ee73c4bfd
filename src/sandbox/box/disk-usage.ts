// How much a sandbox has written: blocks of its written layer, each file once.
import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

export type DiskUsage = { readonly bytes: number; readonly largestFile: number };

export async function diskUsage(folders: readonly string[]): Promise<DiskUsage> {
  const seen = new Set<number>();
  let bytes = 0;
  let largestFile = 0;
  const visit = async (folder: string): Promise<void> => {
    const entries: Dirent[] = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      const status = await lstat(path).catch(() => null);
      if (status === null) continue;
      if (status.nlink === 1 || !seen.has(status.ino)) bytes += status.blocks * 512;
      if (status.nlink > 1) seen.add(status.ino);
      if (status.isFile()) largestFile = Math.max(largestFile, status.size);
      if (status.isDirectory()) await visit(path);
    }
  };
  for (const folder of folders) await visit(folder);
  return { bytes, largestFile };
}
