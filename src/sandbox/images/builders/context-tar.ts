// A build context as a tar stream: owners, times and order fixed, so that equal contexts are equal to builders' caches.
import { createReadStream } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import tar from "tar-stream";
import type { EngineBuild } from "./builder.ts";

const fixedTime = new Date(1704067200_000);

export function contextTar(build: EngineBuild, dockerfileName: string): Readable {
  const pack = tar.pack();
  const base = { uid: 0, gid: 0, mtime: fixedTime };
  const write = async (): Promise<void> => {
    const put = (name: string, content: string | Buffer, mode = 0o644) =>
      new Promise<void>((resolve, reject) =>
        pack.entry({ ...base, name, mode }, content, (error) => (error ? reject(error) : resolve())),
      );
    await put(dockerfileName, build.dockerfile);
    for (const [name, content] of Object.entries(build.extra)) await put(name, content);
    for (const entry of build.entries) {
      if (entry.path === ".dockerignore") continue;
      if (entry.type === "directory") pack.entry({ ...base, name: entry.path, type: "directory", mode: entry.mode });
      else if (entry.type === "symlink")
        pack.entry({ ...base, name: entry.path, type: "symlink", linkname: entry.target ?? "", mode: 0o777 });
      else if (entry.content) await put(entry.path, entry.content, entry.mode);
      else {
        const sink = pack.entry({ ...base, name: entry.path, mode: entry.mode, size: entry.size });
        await pipeline(createReadStream(join(build.contextDirectory, entry.path), { end: entry.size - 1 }), sink);
      }
    }
    pack.finalize();
  };
  write().catch((error) => pack.destroy(error));
  return pack as unknown as Readable;
}
