// Owners of stored layers. With root, a sandbox has 65,536 uids that stand on the host as 100000 and up; layers are
// stored with owners shifted by that much, so that uid 0 inside owns what root owned in the image. As an ordinary user
// there is one uid and nothing is shifted.
import { chmod, lchown, lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

export const mappedOwners = 65_536;

/** How much to add to an owner inside the sandbox to get the owner on the host: 100,000 with root, else 0. */
export const ownerShift = (): number => (process.getuid?.() === 0 ? 100_000 : 0);

/**
 * Adds `ownerShift()` to the owner and group of everything under `directory`, itself included. For whoever stores a
 * layer: call it once, after extraction and before the layer is used. What is shifted already stays as it is, so a
 * second call (after a crash, say) is harmless. Special mode bits, which chown clears, must be restored by the caller
 * when it cares: `shiftOwners` does it for set-uid and set-gid files.
 */
export async function shiftOwners(directory: string): Promise<void> {
  const shift = ownerShift();
  if (shift === 0) return;
  const visit = async (path: string): Promise<void> => {
    const status = await lstat(path);
    if (status.uid < shift || status.gid < shift) {
      await lchown(
        path,
        status.uid < shift ? status.uid + shift : status.uid,
        status.gid < shift ? status.gid + shift : status.gid,
      );
      if ((status.mode & 0o6000) !== 0 && !status.isSymbolicLink()) await chmod(path, status.mode & 0o7777);
    }
    if (!status.isDirectory()) return;
    for (const name of await readdir(path)) await visit(join(path, name));
  };
  await visit(directory);
}
