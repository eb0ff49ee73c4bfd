// Files in and out by the engine's archives. Nothing is ever unpacked on this machine by a path that came from inside:
// every entry is checked and written by name under the destination.
import { createReadStream } from "node:fs";
import { chmod, copyFile, lstat, mkdir, open, readdir, readlink, symlink } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { dirname, join, posix } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type Docker from "dockerode";
import tar from "tar-stream";
import { ArtefactError, SandboxError } from "../../contract/index.ts";
import { longestPath, turnsBack } from "../carried-paths.ts";
import { statusOf } from "../images/builders/connect.ts";

export type PathStatus = {
  readonly kind: "file" | "directory" | "symlink" | "fifo" | "other";
  readonly size: number;
  readonly mode: number;
  /** Where a link leads, resolved inside the container. */
  readonly target: string;
};

/** lstat of a path, links in its middle followed inside the container; null when nothing is there. */
export async function statusIn(container: Docker.Container, path: string): Promise<PathStatus | null> {
  let header: string;
  try {
    const response = (await container.infoArchive({ path })) as IncomingMessage;
    // The client hands the answer over as a stream: unread, it would hold its connection for ever.
    response.resume();
    header = String(response.headers["x-docker-container-path-stat"] ?? "");
  } catch (error) {
    if (statusOf(error) !== 404 && !/not a directory/i.test((error as Error).message)) throw error;
    await container.inspect();
    return null;
  }
  const found = JSON.parse(Buffer.from(header, "base64").toString("utf8")) as {
    size: number;
    mode: number;
    linkTarget: string;
  };
  const bit = (number: number): boolean => Math.floor(found.mode / 2 ** number) % 2 === 1;
  const special = (bit(23) ? 0o4000 : 0) | (bit(22) ? 0o2000 : 0) | (bit(20) ? 0o1000 : 0);
  const kind = bit(31)
    ? "directory"
    : bit(27)
      ? "symlink"
      : bit(25)
        ? "fifo"
        : bit(26) || bit(24) || bit(21)
          ? "other"
          : "file";
  return { kind, size: found.size, mode: (found.mode & 0o777) | special, target: found.linkTarget };
}

/** The path with a link at its end followed. Errors: SandboxError `file_missing` for a loop. */
async function followed(
  container: Docker.Container,
  path: string,
): Promise<{ path: string; status: PathStatus | null }> {
  let current = posix.normalize(path);
  for (let hops = 0; hops < 40; hops++) {
    const status = await statusIn(container, current);
    if (status?.kind !== "symlink" || status.target === current) return { path: current, status };
    current = status.target || current;
  }
  throw refusal("file_missing", path, "is a loop of links");
}

export async function readFileIn(
  container: Docker.Container,
  path: string,
  maximumBytes = Number.POSITIVE_INFINITY,
): Promise<Uint8Array> {
  const { path: real, status } = await followed(container, path);
  if (status === null || status.kind === "symlink") throw refusal("file_missing", path, "does not exist");
  if (status.kind !== "file") throw refusal("not_a_file", path, "is not a regular file");
  const tooLarge = (size: number): SandboxError =>
    refusal("file_too_large", path, `has ${size} bytes, more than the ${maximumBytes} asked for`);
  if (status.size > maximumBytes) throw tooLarge(status.size);
  const stream = (await container.getArchive({ path: real })) as Readable;
  const archive = tar.extract();
  stream.on("error", (error) => archive.destroy(error));
  stream.pipe(archive);
  try {
    for await (const entry of archive) {
      if (entry.header.type !== "file") throw refusal("not_a_file", path, "is not a regular file");
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of entry) {
        size += (chunk as Buffer).length;
        if (size > maximumBytes) throw tooLarge(size);
        chunks.push(chunk as Buffer);
      }
      return new Uint8Array(Buffer.concat(chunks));
    }
  } finally {
    stream.destroy();
  }
  throw refusal("file_missing", path, "does not exist");
}

export async function writeFileIn(
  container: Docker.Container,
  path: string,
  content: string | Uint8Array,
  options: { mode?: number; owner: { uid: number; gid: number } },
): Promise<void> {
  const { path: real, status } = await followed(container, path);
  if (status !== null && status.kind !== "file") throw refusal("not_a_file", path, "is not a regular file");
  const pack = tar.pack();
  const data = typeof content === "string" ? Buffer.from(content) : Buffer.from(content);
  const mode = options.mode ?? status?.mode ?? 0o644;
  pack.entry({ name: real.slice(1), mode, uid: options.owner.uid, gid: options.owner.gid, mtime: new Date() }, data);
  pack.finalize();
  await container.putArchive(pack as unknown as NodeJS.ReadableStream, { path: "/" });
}

/** A host file or folder, owned by root, modes and links kept. */
export async function copyIntoContainer(container: Docker.Container, source: string, path: string): Promise<void> {
  const pack = tar.pack();
  const visit = async (from: string, name: string): Promise<void> => {
    const status = await lstat(from);
    const header = { name, mode: status.mode & 0o7777, uid: 0, gid: 0, mtime: status.mtime };
    if (status.isSymbolicLink()) pack.entry({ ...header, type: "symlink", linkname: await readlink(from) });
    else if (status.isDirectory()) {
      pack.entry({ ...header, type: "directory" });
      for (const child of (await readdir(from)).sort()) await visit(join(from, child), `${name}/${child}`);
    } else if (status.isFile()) await pipeline(createReadStream(from), pack.entry({ ...header, size: status.size }));
  };
  const target = (await followed(container, path)).path;
  const written = visit(source, target.slice(1)).then(
    () => pack.finalize(),
    (error) => pack.destroy(error),
  );
  await container.putArchive(pack as unknown as NodeJS.ReadableStream, { path: "/" });
  await written;
}

/** See SandboxHandle.copyOut; nothing inside may run meanwhile. */
export async function copyOutOf(
  container: Docker.Container,
  path: string,
  destination: string,
  quota: { bytes: number; files: number },
): Promise<boolean> {
  const refused = (code: string, at: string, what: string): ArtefactError =>
    new ArtefactError({
      code,
      message: `${at} ${what}; it is not carried over`,
      where: { file: at },
      details: { path: at },
    });
  if (path.split("/").includes("..")) throw refused("artefact_path", path, "has `..` in it");
  const clean = posix.normalize(path).replace(/(.)\/$/, "$1");
  const parts = clean.split("/").filter(Boolean);
  for (let count = 1; count <= parts.length; count++) {
    const prefix = `/${parts.slice(0, count).join("/")}`;
    const status = await statusIn(container, prefix);
    if (status === null) return false;
    if (status.kind === "symlink")
      throw refused("artefact_link", clean, count === parts.length ? "is a link" : `leads through the link ${prefix}`);
    if (count < parts.length && status.kind !== "directory") return false;
    if (count === parts.length && status.kind !== "file" && status.kind !== "directory")
      throw refused("artefact_type", clean, status.kind === "fifo" ? "is a FIFO" : "is a device or a socket");
    if (count === parts.length && status.kind === "file" && status.size > quota.bytes)
      throw refused("artefact_quota", clean, `goes over the quota of ${quota.bytes} bytes`);
  }
  await mkdir(dirname(destination), { recursive: true });
  const stream = (await container.getArchive({ path: clean })) as Readable;
  const archive = tar.extract();
  stream.on("error", (error) => archive.destroy(error));
  stream.pipe(archive);
  let left = quota.bytes;
  let files = quota.files;
  const done = new Set<string>();
  const modes: [string, number][] = [];
  try {
    for await (const entry of archive) {
      const { header } = entry;
      const names = posix
        .normalize(header.name)
        .split("/")
        .filter((part) => part !== "" && part !== ".");
      const inner = (clean === "/" ? names : names.slice(1)).join("/");
      const inside = posix.join(clean, inner);
      if (names.includes("..")) throw refused("artefact_path", inside, "has `..` in it");
      files -= 1;
      if (files < 0) throw refused("artefact_quota", clean, `has more than ${quota.files} files`);
      const target = inner === "" ? destination : join(destination, inner);
      if (Buffer.byteLength(inside) > longestPath || Buffer.byteLength(target) > longestPath)
        throw refused("artefact_path", `${inside.slice(0, 100)}…`, "lies too deep");
      if (inner !== "" && !done.has(posix.dirname(inner)))
        throw refused("artefact_path", inside, "has no folder above it");
      if (header.type === "directory") {
        await mkdir(target, { recursive: inner === "", mode: 0o700 });
        done.add(inner === "" ? "." : inner);
        modes.push([target, ((header.mode ?? 0o755) & 0o777) | 0o700]);
        entry.resume();
      } else if (header.type === "symlink") {
        const link = header.linkname ?? "";
        const resolved = posix.normalize(posix.join(posix.dirname(inside), link));
        if (
          link.startsWith("/") ||
          turnsBack(link) ||
          !(resolved === clean || resolved.startsWith(clean === "/" ? "/" : `${clean}/`))
        )
          throw refused("artefact_link", inside, `is a link that leads out (${link})`);
        await symlink(link, target);
        entry.resume();
      } else if (header.type === "link") {
        const linked = posix
          .normalize(header.linkname ?? "")
          .split("/")
          .filter(Boolean)
          .slice(clean === "/" ? 0 : 1);
        if (linked.includes("..")) throw refused("artefact_path", inside, "has `..` in it");
        const original = join(destination, ...linked);
        const status = await lstat(original);
        left -= status.size;
        if (!status.isFile() || left < 0)
          throw refused("artefact_quota", inside, `goes over the quota of ${quota.bytes} bytes`);
        await copyFile(original, target);
        entry.resume();
      } else if (header.type === "file" || header.type === "contiguous-file") {
        left -= header.size ?? 0;
        if (left < 0) throw refused("artefact_quota", inside, `goes over the quota of ${quota.bytes} bytes`);
        const file = await open(target, "wx", 0o600);
        try {
          for await (const chunk of entry) await file.write(chunk as Buffer);
        } finally {
          await file.close();
        }
        await chmod(target, ((header.mode ?? 0o644) & 0o777) | 0o600);
      } else throw refused("artefact_type", inside, header.type === "fifo" ? "is a FIFO" : "is a device");
    }
  } finally {
    stream.destroy();
  }
  for (const [target, mode] of modes.reverse()) await chmod(target, mode);
  return true;
}

const refusal = (code: string, path: string, what: string): SandboxError =>
  new SandboxError({ code, message: `${path} ${what}`, where: { file: path }, remedy: "check the path" });
