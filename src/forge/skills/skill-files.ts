import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { TaskFormatError } from "../../contract/index.ts";

const mostFiles = 5_000;
const mostBytes = 256 << 20;

export type SkillFiles = { readonly files: { path: string; bytes: number }[]; readonly digest: string };

/**
 * The files of a skill's folder without skills inside it, and their digest: sha256 over `path NUL sha256 newline`, in
 * order of paths; `only` is a file that is a skill by itself. Links and special files are no part of it. Errors: TaskFormatError `skill_too_large`.
 */
export async function skillFiles(
  root: string,
  folder: string,
  inner: ReadonlySet<string>,
  only?: string,
): Promise<SkillFiles> {
  const files: { path: string; bytes: number }[] = [];
  let bytes = 0;
  const visit = async (path: string): Promise<void> => {
    const names = only === undefined ? (await readdir(join(root, folder, path))).sort() : [only];
    for (const name of names) {
      if (name === ".git" || name === "node_modules") continue;
      const below = path === "" ? name : `${path}/${name}`;
      const status = await lstat(join(root, folder, below));
      if (status.isDirectory()) {
        if (!inner.has(folder === "" ? below : `${folder}/${below}`)) await visit(below);
      } else if (status.isFile()) {
        bytes += status.size;
        if (files.push({ path: below, bytes: status.size }) > mostFiles || bytes > mostBytes)
          throw new TaskFormatError({
            code: "skill_too_large",
            message: `holds more than ${mostFiles} files or ${mostBytes} bytes`,
            where: { file: join(root, folder) },
            remedy: "leave out what the skill does not need",
          });
      }
    }
  };
  await visit("");
  files.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
  const hash = createHash("sha256");
  for (const { path } of files) hash.update(`${path}\0${await fileDigest(join(root, folder, path))}\n`);
  return { files, digest: `sha256:${hash.digest("hex")}` };
}

async function fileDigest(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}
