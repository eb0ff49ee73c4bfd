import type { TaskFolderFile } from "../write.ts";
import type { ImportNote } from "./conversion.ts";
import type { ForeignFile } from "./foreign-folder.ts";

const mark = Buffer.from([0xef, 0xbb, 0xbf]);
const isScript = (path: string, content: Buffer): boolean =>
  /\.(?:sh|bash)$/.test(path) || content.subarray(0, 2).toString("latin1") === "#!";
const isDockerfile = (path: string): boolean => /(?:^|\/)Dockerfile(?:\.[^/]*)?$/.test(path);
const isText = (path: string): boolean =>
  /(?:^|\/)(?:task\.toml|instruction\.md|\.gitignore|\.dockerignore)$/.test(path);

/** Byte order marks, Windows line ends in scripts and Dockerfiles, and scripts that can't be executed; each one told. */
export function repairFiles(files: Iterable<ForeignFile>): { files: TaskFolderFile[]; repairs: ImportNote[] } {
  const repairs: ImportNote[] = [];
  const repaired = [...files].map(({ path, content, mode }): TaskFolderFile => {
    const note = (message: string) => void repairs.push({ message, file: path });
    let bytes = content;
    const hasMark = bytes.subarray(0, 3).equals(mark);
    const bare = hasMark ? bytes.subarray(3) : bytes;
    const script = isScript(path, bare);
    if (hasMark && (script || isDockerfile(path) || isText(path))) {
      bytes = bare;
      note("began with a byte order mark, which was removed");
    }
    if ((script || isDockerfile(path)) && bytes.includes("\r\n")) {
      bytes = Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1");
      note("had Windows line ends, which became Unix ones");
    }
    const isExecutable = (mode & 0o111) !== 0;
    if (/\.(?:sh|bash)$/.test(path) && !isExecutable) note("was not executable, and is now");
    return { path, content: bytes, mode: isExecutable || /\.(?:sh|bash)$/.test(path) ? 0o755 : 0o644 };
  });
  return { files: repaired, repairs };
}
