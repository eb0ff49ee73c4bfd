// The folder of one sandbox on the host and the table of mounts that its private mount namespace starts with:
//   u, w    the overlay's written layer and work folder      l0 l1 …  links to the read-only layers, the top first
//   stage/  seen as /mnt: r (the merged tree), shm, h (helper), m0 m1 … (mounts asked for)
import { chmodSync, lchownSync, lstatSync, mkdirSync, type Stats, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Mount, SandboxError } from "../../contract/index.ts";

export type StageOptions = {
  readonly directory: string;
  /** Read-only layers, the top first. */
  readonly layers: readonly string[];
  readonly mounts: readonly Mount[];
  readonly shift: number;
  readonly helper: string | null;
};

/** Makes the folder. Errors: SandboxError `image_missing`, `mount_missing`. */
export function makeStage(options: StageOptions): void {
  const { directory, layers, shift } = options;
  for (const name of ["u", "w", "stage", "stage/r", "stage/shm", "stage/h"]) mkdirSync(join(directory, name));
  const top = assertLayer(layers[0] ?? "(none)");
  chmodSync(join(directory, "u"), top.mode & 0o7777);
  if (shift !== 0) for (const name of ["u", "w", "stage/shm"]) lchownSync(join(directory, name), shift, shift);
  chmodSync(join(directory, "stage/shm"), 0o1777);
  chmodSync(join(directory, "stage"), 0o755);
  layers.forEach((layer, index) => {
    symlinkSync(layer, join(directory, `l${index}`));
  });
  options.mounts.forEach(({ source }, index) => {
    const status = statSync(source, { throwIfNoEntry: false });
    if (status === undefined) throw missing("mount_missing", `the folder to mount, ${source}, is not there`);
    const target = join(directory, "stage", `m${index}`);
    if (status.isDirectory()) mkdirSync(target);
    else writeFileSync(target, "");
  });
  writeFileSync(join(directory, "fstab"), mountTable(options));
}

/** Errors: SandboxError `image_missing`. */
export function assertLayer(layer: string): Stats {
  const status = lstatSync(layer, { throwIfNoEntry: false });
  if (status?.isDirectory()) return status;
  throw missing("image_missing", `the image's layer ${layer} is not there`);
}

function mountTable({ directory, layers, mounts, shift, helper }: StageOptions): string {
  const options = [
    `lowerdir=${layers.map((_, index) => `l${index}`).join(":")}`,
    "upperdir=u",
    "workdir=w",
    ...(shift === 0 ? ["userxattr"] : ["redirect_dir=off", "metacopy=off", "index=off"]),
  ];
  const lines = [
    `${escapeField(join(directory, "stage"))} /mnt none bind 0 0`,
    `overlay /mnt/r overlay ${options.join(",")} 0 0`,
    ...(helper === null ? [] : [`${escapeField(helper)} /mnt/h none bind 0 0`]),
    ...mounts.map((mount, index) => `${escapeField(mount.source)} /mnt/m${index} none bind 0 0`),
  ];
  return `${lines.join("\n")}\n`;
}

const escapeField = (path: string): string =>
  path.replace(/[\s\\#]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`);

const missing = (code: string, message: string): SandboxError =>
  new SandboxError({ code, message, remedy: "build the image again, or correct the path" });
