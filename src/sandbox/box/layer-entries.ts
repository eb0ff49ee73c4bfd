// What one overlay layer holds, read in a single pass with tar: node has no extended attributes, and an overlay keeps its
// opaque directories there. Sockets, which tar leaves out, are looked up beside it.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { extract, type Header } from "tar-stream";
import { type FileEntry, SandboxError } from "../../contract/index.ts";
import { asLayerOwner, launchEnvironment } from "./tools.ts";

/** `whiteout` hides the path in lower layers; `opaque` hides what lower layers have in a directory. */
export type LayerEntry = FileEntry & { readonly whiteout: boolean; readonly opaque: boolean };

const types: Readonly<Record<string, FileEntry["type"]>> = {
  file: "file",
  "contiguous-file": "file",
  link: "file",
  symlink: "symlink",
  directory: "directory",
  fifo: "fifo",
  "character-device": "device",
  "block-device": "device",
};

/** The entries of a layer by path, its root left out. `owner` turns an owner on the host into one inside. */
export async function readLayer(
  directory: string,
  owner: (id: number) => number,
  options: { only?: string } = {},
): Promise<Map<string, LayerEntry>> {
  const entries = new Map<string, LayerEntry>();
  const words = [
    "--xattrs",
    "--xattrs-include=*",
    "--numeric-owner",
    "--format=pax",
    ...(options.only === undefined ? [] : ["--no-recursion"]),
    "-cf",
    "-",
    "-C",
    directory,
    "--",
    options.only === undefined ? "." : `.${options.only}`,
  ];
  const child = spawn(...asLayerOwner("tar", words), { stdio: ["ignore", "pipe", "pipe"], env: launchEnvironment });
  let diagnostics = "";
  child.stderr.on("data", (chunk) => {
    diagnostics += chunk;
  });
  const exit = once(child, "close");
  const archive = extract();
  child.stdout.pipe(archive);
  for await (const entry of archive) {
    const hash = createHash("sha256");
    for await (const chunk of entry) hash.update(chunk as Buffer);
    const path = pathOf(entry.header.name);
    if (path !== "/") add(entries, path, entry.header, hash.digest("hex"), owner);
  }
  const [code] = await exit;
  if (code !== 0) {
    throw new SandboxError({
      code: "snapshot_failed",
      message: `the layer ${directory} can't be read: ${diagnostics.trim()}`,
    });
  }
  if (options.only === undefined && diagnostics.includes("socket ignored"))
    await addSockets(entries, directory, "", owner);
  return entries;
}

const pathOf = (name: string): string => `/${name.replace(/^\.\/?/, "").replace(/\/$/, "")}`;

function add(
  entries: Map<string, LayerEntry>,
  path: string,
  header: Header,
  digest: string,
  owner: (id: number) => number,
): void {
  const type = types[header.type ?? "file"] ?? "file";
  const attributes = attributesOf((header.pax ?? {}) as Record<string, string>);
  const common = {
    path,
    type,
    mode: header.mode ?? 0,
    uid: owner(header.uid ?? 0),
    gid: owner(header.gid ?? 0),
    whiteout: header.type === "character-device" && header.devmajor === 0 && header.devminor === 0,
    opaque: attributes.opaque,
    ...(Object.keys(attributes.shown).length === 0 ? {} : { xattrs: attributes.shown }),
  };
  if (header.type === "link") {
    const first = entries.get(pathOf(header.linkname ?? ""));
    if (first === undefined) return;
    const linked = { ...first, inode: first.inode ?? first.path };
    entries.set(first.path, linked);
    entries.set(path, { ...linked, path });
  } else if (type === "file") entries.set(path, { ...common, size: header.size ?? 0, digest: `sha256:${digest}` });
  else if (type === "symlink")
    entries.set(path, { ...common, size: (header.linkname ?? "").length, target: header.linkname ?? "" });
  else entries.set(path, { ...common, size: 0 });
}

function attributesOf(pax: Record<string, string>): { shown: Record<string, string>; opaque: boolean } {
  const shown: Record<string, string> = {};
  let opaque = false;
  for (const [key, value] of Object.entries(pax)) {
    if (!key.startsWith("SCHILY.xattr.")) continue;
    const name = key.slice("SCHILY.xattr.".length);
    if (/^(trusted|user)\.overlay\./.test(name)) opaque ||= name.endsWith(".overlay.opaque") && value.startsWith("y");
    else shown[name] = value;
  }
  return { shown, opaque };
}

async function addSockets(entries: Map<string, LayerEntry>, root: string, path: string, owner: (id: number) => number) {
  for (const name of await readdir(join(root, path))) {
    const inner = `${path}/${name}`;
    const status = await lstat(join(root, inner));
    if (status.isDirectory()) await addSockets(entries, root, inner, owner);
    if (!status.isSocket()) continue;
    entries.set(inner, {
      path: inner,
      type: "socket",
      mode: status.mode & 0o7777,
      uid: owner(status.uid),
      gid: owner(status.gid),
      size: 0,
      whiteout: false,
      opaque: false,
    });
  }
}
