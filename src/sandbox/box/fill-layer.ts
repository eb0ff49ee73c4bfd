// The lowest layer of every sandbox: mount points and the few files without which `localhost` has no address. An image's
// own files lie above it. An image whose /etc/hosts is empty, as exported containers have it, gets it from a layer on top.
import { chmodSync, existsSync, lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FileView, noOpaqueDirectories } from "./file-view.ts";
import { shiftOwners } from "./owner-shift.ts";

export const hostsFile = "127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n";

/** Makes the lowest layer in `directory`, once. */
export async function makeFillLayer(directory: string): Promise<void> {
  if (existsSync(directory)) return;
  for (const name of ["", "dev", "etc", "proc", "run", "sys", "tmp", "root", "var/tmp"]) {
    mkdirSync(join(directory, name), { recursive: true, mode: 0o755 });
  }
  for (const name of ["tmp", "var/tmp"]) chmodSync(join(directory, name), 0o1777);
  chmodSync(join(directory, "root"), 0o700);
  writeFileSync(join(directory, "etc/hosts"), hostsFile, { mode: 0o644 });
  writeFileSync(join(directory, "etc/hostname"), "box\n", { mode: 0o644 });
  writeFileSync(join(directory, "etc/resolv.conf"), "", { mode: 0o644 });
  writeFileSync(
    join(directory, "etc/passwd"),
    "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n",
  );
  writeFileSync(join(directory, "etc/group"), "root:x:0:\nnogroup:x:65534:\n");
  await shiftOwners(directory);
}

/** Whether the layers (the top first) have an /etc/hosts that is a file and empty. */
export function hasEmptyHosts(layers: readonly string[]): boolean {
  const view = new FileView(
    layers,
    [],
    layers.map(() => noOpaqueDirectories),
  );
  try {
    const found = view.find("/etc/hosts", "follow");
    return found.status?.isFile() === true && found.status.size === 0;
  } finally {
    view.close();
  }
}

/** Makes the layer that gives such an image its /etc/hosts. */
export async function makeHostsLayer(directory: string, layers: readonly string[]): Promise<void> {
  const etc = layers.map((layer) => lstatSync(join(layer, "etc"), { throwIfNoEntry: false })).find(Boolean);
  mkdirSync(join(directory, "etc"), { recursive: true, mode: 0o755 });
  chmodSync(join(directory, "etc"), etc === undefined ? 0o755 : etc.mode & 0o7777);
  writeFileSync(join(directory, "etc/hosts"), hostsFile, { mode: 0o644 });
  await shiftOwners(directory);
}
