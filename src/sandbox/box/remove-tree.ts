// Removal of trees that their makers did not mean to be removed: directories without permissions, immutable files, paths
// longer than the kernel takes, names that are no UTF-8.
import { execFile } from "node:child_process";
import { chmod, lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { launchEnvironment } from "./tools.ts";

/** Removes `path` and everything under it, following no link. Modes and file flags in the way are changed first. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
    return;
  } catch {
    await openUp(path);
  }
  // The system's rm goes from folder to folder, so it knows neither too long paths nor wrong names.
  await run("rm", ["-rf", "--", path]);
  if ((await lstat(path).catch(() => null)) === null) return;
  await run("chattr", ["-R", "-f", "-i", "-a", path]);
  await run("rm", ["-rf", "--", path]);
  await rm(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 20 });
}

const run = (program: string, words: readonly string[]): Promise<void> =>
  new Promise((resolve) => execFile(program, words, { env: launchEnvironment }, () => resolve()));

async function openUp(path: string): Promise<void> {
  const status = await lstat(path).catch(() => null);
  if (!status?.isDirectory()) return;
  await chmod(path, 0o700).catch(() => undefined);
  for (const name of await readdir(path).catch(() => [])) await openUp(join(path, name));
}
