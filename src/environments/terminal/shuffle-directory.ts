// Makes readdir list a working directory in another order: overlayfs lists the files of a lower layer before those of
// the layers above, so half of the files go into a layer of their own.
import { type FileChange, type SandboxHandle, type SandboxSnapshot, shellQuote } from "../../contract/index.ts";

const aside = "/var/tmp/.directory-order";

export type ShuffledStart = {
  readonly handle: SandboxHandle;
  readonly saved: SandboxSnapshot;
  readonly changes: FileChange[];
};

/** Takes the place of `first`, which is disposed of. `create` makes a sandbox from an image. Errors: SandboxError. */
export async function shuffleDirectory(
  first: SandboxHandle,
  directory: string,
  create: (image: SandboxSnapshot["image"]) => Promise<SandboxHandle>,
): Promise<ShuffledStart> {
  const quoted = shellQuote(directory);
  const run = (handle: SandboxHandle, script: string) =>
    handle.session.run(["/bin/sh", "-c", script], { user: "0:0", workingDirectory: "/" });
  try {
    await run(
      first,
      `set -e; rm -rf ${aside}; mkdir -p /var/tmp; cp -a ${quoted} ${aside}; rm -rf ${quoted}; cp -a ${aside} ${quoted}; cd ${quoted}
turn=0; for file in *; do turn=$((1 - turn)); [ "$turn" = 0 ] || [ ! -f "$file" ] || rm -f -- "$file"; done`,
    );
    const saved = await first.snapshot();
    const changes = await first.diff();
    const handle = await create(saved.image);
    await run(
      handle,
      `cd ${aside} && for file in *; do [ -e ${quoted}/"$file" ] || [ ! -f "$file" ] || cp -a -- "$file" ${quoted}/"$file"; done; rm -rf ${aside}`,
    );
    return { handle, saved, changes };
  } finally {
    await first.dispose();
  }
}
