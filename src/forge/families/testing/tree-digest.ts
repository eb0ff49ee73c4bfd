import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** A digest of the names, kinds, modes and contents below a directory. */
export function treeDigest(directory: string): string {
  const hash = createHash("sha256");
  const visit = (path: string, relative: string) => {
    const status = lstatSync(path);
    hash.update(`${relative}\0${status.mode}\0`);
    if (status.isSymbolicLink()) hash.update(readlinkSync(path));
    else if (status.isFile()) hash.update(readFileSync(path));
    else if (status.isDirectory())
      for (const name of readdirSync(path).sort()) visit(join(path, name), `${relative}/${name}`);
  };
  visit(directory, "");
  return hash.digest("hex");
}
