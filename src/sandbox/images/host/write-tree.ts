// Writes a tree as a layer folder: owners shifted, modes exact, one fixed time for all, so that equal trees give equal
// layers.
import {
  chmodSync,
  copyFileSync,
  lchownSync,
  lutimesSync,
  mkdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { HostTree } from "./tree.ts";

/** 2024-01-01T00:00:00Z. */
const fixedTime = 1704067200;

/** `ownerShift` is added to uid and gid; null leaves everything to this process's user (it isn't root). */
export function writeTree(tree: HostTree, destination: string, ownerShift: number | null): void {
  const paths = [...tree.nodes.keys()].sort();
  if (!tree.nodes.has("/")) mkdirSync(destination, { recursive: true, mode: 0o755 });
  for (const path of paths) {
    const node = tree.nodes.get(path);
    const target = join(destination, path);
    if (node?.type === "directory") mkdirSync(target, { recursive: path === "/" });
    else if (node?.type === "symlink") symlinkSync(node.target, target);
    else if (node?.type === "file") {
      if (Buffer.isBuffer(node.content)) writeFileSync(target, node.content, { flag: "wx" });
      else copyFileSync(node.content.file, target);
    }
  }
  for (const path of paths.reverse()) {
    const node = tree.nodes.get(path);
    const target = join(destination, path);
    if (!node) continue;
    if (ownerShift !== null) lchownSync(target, node.uid + ownerShift, node.gid + ownerShift);
    if (node.type === "symlink") lutimesSync(target, fixedTime, fixedTime);
    else {
      chmodSync(target, node.mode);
      utimesSync(target, fixedTime, fixedTime);
    }
  }
}
