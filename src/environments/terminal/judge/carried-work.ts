// What goes from the agent's sandbox into a fresh one, collected once and put in as often as it is needed: into the
// verifier's sandbox, and into each nested sandbox that executes it.
import { chmod, cp, lstat, readdir } from "node:fs/promises";
import { join, posix } from "node:path";
import { type FileEntry, SandboxError, type SandboxHandle, shellQuote } from "../../../contract/index.ts";
import { hostStorage } from "../workspace.ts";

export type CarriedWork = {
  /** Host copies and where they belong. */
  readonly files: readonly { readonly path: string; readonly source: string }[];
  /** Paths that the fresh sandbox must not have from its image. */
  readonly absent: readonly string[];
  readonly folders: readonly FileEntry[];
  readonly links: readonly { readonly path: string; readonly target: string }[];
  /** Entries whose owner or mode the copy does not keep. */
  readonly owned: readonly FileEntry[];
};

/** Puts the work into a fresh sandbox, before any process of the verifier's runs there. Errors: SandboxError. */
export async function placeWork(handle: SandboxHandle, work: CarriedWork): Promise<void> {
  await script(handle, [
    ...work.absent.map((path) => `rm -rf -- ${shellQuote(path)}`),
    ...work.folders.map(({ path }) => `mkdir -p -- ${shellQuote(path)}`),
  ]);
  for (const { path, source } of work.files) await handle.copyIn(source, path);
  await script(handle, [
    ...work.links.map(
      ({ path, target }) =>
        `rm -rf -- ${shellQuote(path)}; mkdir -p -- ${shellQuote(posix.dirname(path))}; ln -s -- ${shellQuote(target)} ${shellQuote(path)}`,
    ),
    ...[...work.owned, ...work.folders].map(({ path, uid, gid, mode }) => {
      const quoted = shellQuote(path);
      return `[ -h ${quoted} ] || { chown ${uid}:${gid} ${quoted}; chmod ${(mode & 0o7777).toString(8)} ${quoted}; }`;
    }),
  ]);
}

async function script(handle: SandboxHandle, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return;
  const result = await handle.session.run(["/bin/sh"], {
    user: "0:0",
    workingDirectory: "/",
    input: `${lines.join("\n")}\n`,
  });
  if (result.limit)
    throw new SandboxError({
      code: "work_not_placed",
      message: `the carried-over work could not be put in place: ${result.limit.message}`,
      details: { stderr: result.stderr.text.slice(0, 1000) },
    });
}

/** A copy of the work that any uid can read, without set-uid bits: for the sandboxes that execute it. */
export async function readableWork(work: CarriedWork, destination: string): Promise<CarriedWork> {
  const files = [];
  for (const [index, { path, source }] of work.files.entries()) {
    const copy = join(destination, String(index));
    await hostStorage(() => cp(source, copy, { recursive: true, verbatimSymlinks: true }));
    await openTree(copy);
    files.push({ path, source: copy });
  }
  const open = (entry: FileEntry): FileEntry => ({ ...entry, mode: opened(entry.mode, entry.type === "directory") });
  return { ...work, files, folders: work.folders.map(open), owned: work.owned.map(open) };
}

/** Gives read access (and entry to folders) to everyone; nothing else changes. */
export async function openTree(path: string): Promise<void> {
  await hostStorage(async () => {
    const status = await lstat(path);
    if (status.isSymbolicLink()) return;
    await chmod(path, opened(status.mode, status.isDirectory()));
    if (!status.isDirectory()) return;
    for (const name of await readdir(path)) await openTree(join(path, name));
  });
}

const opened = (mode: number, isFolder: boolean) =>
  isFolder ? (mode & 0o777) | 0o555 : (mode & 0o777) | 0o444 | (mode & 0o100 ? 0o111 : 0);
