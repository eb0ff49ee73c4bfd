// How much a sandbox has written: blocks of its written layer, each file once. Names are taken as bytes, and long paths are
// shortened by an open folder, so that nothing stays uncounted.
import type { Dirent } from "node:fs";
import { constants } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";

export type DiskUsage = { readonly bytes: number; readonly largestFile: number };

const longPath = 3000;
const slash = Buffer.from("/");
const readNames = readdir as unknown as (
  path: Buffer,
  options: { withFileTypes: true; encoding: "buffer" },
) => Promise<Dirent<Buffer>[]>;

export async function diskUsage(folders: readonly string[]): Promise<DiskUsage> {
  const seen = new Set<number>();
  let bytes = 0;
  let largestFile = 0;
  const visit = async (folder: Buffer): Promise<void> => {
    if (folder.length > longPath) return shortened(folder, visit);
    const entries = await readNames(folder, { withFileTypes: true, encoding: "buffer" }).catch(() => []);
    for (const entry of entries) {
      const path = Buffer.concat([folder, slash, entry.name]);
      const status = await lstat(path).catch(() => null);
      if (status === null) continue;
      if (status.nlink === 1 || !seen.has(status.ino)) bytes += status.blocks * 512;
      if (status.nlink > 1) seen.add(status.ino);
      if (status.isFile()) largestFile = Math.max(largestFile, status.size);
      if (status.isDirectory()) await visit(path);
    }
  };
  for (const folder of folders) await visit(Buffer.from(folder));
  return { bytes, largestFile };
}

async function shortened(folder: Buffer, visit: (folder: Buffer) => Promise<void>): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW).catch(
    () => null,
  );
  if (handle === null) return;
  try {
    await visit(Buffer.from(`/proc/self/fd/${handle.fd}`));
  } finally {
    await handle.close();
  }
}
