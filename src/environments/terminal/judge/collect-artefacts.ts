// Takes the declared artefacts out of the agent's sandbox, before anything of the verifier's exists.
import { lstat, mkdir, readdir, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { ArtefactError, type SandboxHandle } from "../../../contract/index.ts";
import { hostStorage } from "../workspace.ts";
import type { CarriedArtefact } from "./carried-artefacts.ts";
import { excludePattern } from "./exclude-pattern.ts";

/** `source` is the copy, null when there is nothing to carry: it is missing, or `untouched` and so in the image already. */
export type CollectedArtefact = { readonly path: string; readonly source: string | null; readonly untouched: boolean };
export type Quota = { readonly bytes: number; readonly files: number };

/**
 * Copies each artefact into `destination`; a missing one has `source: null`. The quota holds for all together.
 * Errors: ArtefactError when one may not be carried over, SandboxError.
 */
export async function collectArtefacts(
  agent: SandboxHandle,
  artefacts: readonly CarriedArtefact[],
  destination: string,
  quota: Quota,
  isUntouched: (path: string) => Promise<boolean> = async () => false,
): Promise<CollectedArtefact[]> {
  await hostStorage(() => mkdir(destination, { recursive: true }));
  const collected: CollectedArtefact[] = [];
  let left = quota;
  for (const [index, { path, exclude }] of artefacts.entries()) {
    const source = join(destination, String(index));
    if (exclude.length === 0 && (await isUntouched(path))) {
      collected.push({ path, source: null, untouched: true });
      continue;
    }
    if (!(await agent.copyOut(path, source, left))) {
      collected.push({ path, source: null, untouched: false });
      continue;
    }
    await removeExcluded(source, exclude);
    const used = await measure(source);
    left = { bytes: left.bytes - used.bytes, files: left.files - used.files };
    if (left.bytes < 0 || left.files < 0)
      throw new ArtefactError({
        code: "artefact_quota",
        message: `the artefacts hold more than ${quota.bytes} bytes or ${quota.files} files`,
        details: { path },
      });
    collected.push({ path, source, untouched: false });
  }
  return collected;
}

async function removeExcluded(root: string, exclude: readonly string[]): Promise<void> {
  if (exclude.length === 0 || !(await lstat(root)).isDirectory()) return;
  const patterns = exclude.map(excludePattern);
  const visit = async (folder: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (patterns.some((matches) => matches(relative(root, path)))) await rm(path, { recursive: true, force: true });
      else if (entry.isDirectory()) await visit(path);
    }
  };
  await hostStorage(() => visit(root));
}

async function measure(path: string): Promise<Quota> {
  const status = await lstat(path);
  if (!status.isDirectory()) return { bytes: status.size, files: 1 };
  let [bytes, files] = [0, 1];
  for (const name of await readdir(path)) {
    const part = await measure(join(path, name));
    bytes += part.bytes;
    files += part.files;
  }
  return { bytes, files };
}
