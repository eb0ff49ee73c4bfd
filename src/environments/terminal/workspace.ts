// A folder on the host for what passes between two sandboxes: named after its owner, so that what a dead owner left
// can be removed, and short, because a UNIX socket's path may have 107 bytes.
import { chmod, mkdtemp, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SandboxError } from "../../contract/index.ts";
import { removeTree } from "../../sandbox/index.ts";

const prefix = "rs-judge-";

export type Workspace = { readonly directory: string; dispose(): Promise<void> };

const swept = new Map<string, Promise<unknown>>();

/**
 * The first one of a process in a folder removes what dead owners left there.
 * Errors: SandboxError `host_disk_full`, `host_storage_failed`.
 */
export async function openWorkspace(parent = tmpdir()): Promise<Workspace> {
  if (!swept.has(parent)) swept.set(parent, reapWorkspaces(parent));
  await swept.get(parent);
  const started = await startOf(process.pid);
  const directory = await hostStorage(() => mkdtemp(join(parent, `${prefix}${process.pid}.${started}-`)));
  await hostStorage(() => chmod(directory, 0o711));
  return { directory, dispose: () => removeTree(directory).catch(() => undefined) };
}

/** Removes the folders of owners that are gone; resolves to their paths. */
export async function reapWorkspaces(parent = tmpdir()): Promise<string[]> {
  const removed: string[] = [];
  for (const name of await readdir(parent).catch(() => [])) {
    const owner = new RegExp(`^${prefix}(\\d+)\\.(\\d+)-`).exec(name);
    if (!owner || (await startOf(Number(owner[1]))) === owner[2]) continue;
    await removeTree(join(parent, name)).catch(() => undefined);
    removed.push(join(parent, name));
  }
  return removed;
}

/** Work on the host's own disk: its faults are the host's, never the agent's. */
export async function hostStorage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (code === undefined) throw cause;
    const full = code === "ENOSPC" || code === "EDQUOT";
    throw new SandboxError({
      code: full ? "host_disk_full" : "host_storage_failed",
      message: `the host's disk refused what a verification needs: ${(cause as Error).message}`,
      remedy: full ? "free space and grade again" : "see to the folder's permissions and grade again",
      isRetryable: true,
      cause,
    });
  }
}

async function startOf(pid: number): Promise<string> {
  const status = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return status.slice(status.lastIndexOf(")") + 2).split(" ")[19] ?? "0";
}
