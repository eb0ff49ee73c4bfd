// Removal of trees that their makers did not mean to be removed: directories without permissions, immutable files.
import { execFile } from "node:child_process";
import { chmod, lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Removes `path` and everything under it, following no link. Modes and file flags in the way are changed first. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
    return;
  } catch {
    await openUp(path);
  }
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 20 });
  } catch {
    await new Promise((resolve) => execFile("chattr", ["-R", "-f", "-i", "-a", path], { env: {} }, resolve));
    await rm(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 20 });
  }
}

async function openUp(path: string): Promise<void> {
  const status = await lstat(path).catch(() => null);
  if (!status?.isDirectory()) return;
  await chmod(path, 0o700).catch(() => undefined);
  for (const name of await readdir(path).catch(() => [])) await openUp(join(path, name));
}
