// Content-addressed files beside the database: written once under their SHA-256, checked whenever they are read.
import { createHash } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { type FileHandle, open, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { EngineError } from "../contract/index.ts";
import { storageError } from "./storage-error.ts";

/** What one read can hold in memory. */
const largestBlobBytes = 2 ** 31 - 1;
const digestPattern = /^sha256:[0-9a-f]{64}$/;

export const blobDigest = (bytes: Uint8Array | string): string =>
  `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

/** Blobs by digest, `sha256:` and 64 hexadecimal digits. Errors: EngineError `blob_missing`, `blob_corrupt`, `host_disk_full`. */
export class Blobs {
  readonly directory: string;
  readonly #writable: boolean;
  readonly #made = new Set<string>();
  #count = 0;

  constructor(directory: string, options: { writable: boolean }) {
    this.directory = directory;
    this.#writable = options.writable;
    if (!options.writable) return;
    rmSync(join(directory, "temporary"), { recursive: true, force: true });
    mkdirSync(join(directory, "temporary"), { recursive: true });
  }

  /** Where the blob lies, or would lie. */
  path(digest: string): string {
    if (!digestPattern.test(digest))
      throw new EngineError({
        code: "blob_digest_invalid",
        message: `${JSON.stringify(digest)} is no blob digest`,
        remedy: "use what put returned: sha256: and 64 hexadecimal digits",
      });
    return join(this.directory, digest.slice(7, 9), digest.slice(9));
  }

  async has(digest: string): Promise<boolean> {
    return (await sizeOf(this.path(digest))) !== null;
  }

  /** Stores the bytes and returns their digest; durable when the promise resolves. The same bytes are stored once. */
  async put(bytes: Uint8Array | string): Promise<string> {
    const data = typeof bytes === "string" ? Buffer.from(bytes, "utf8") : bytes;
    const digest = blobDigest(data);
    const path = this.path(digest);
    if ((await sizeOf(path)) === data.byteLength) return digest;
    if (!this.#writable)
      throw new EngineError({
        code: "store_read_only",
        message: "the store is open for reading",
        where: { file: this.directory },
        remedy: "open it for writing",
      });
    const temporary = join(this.directory, "temporary", `${process.pid}-${this.#count++}`);
    try {
      const folder = join(path, "..");
      if (!this.#made.has(folder)) mkdirSync(folder, { recursive: true });
      this.#made.add(folder);
      await writeDurably(temporary, data);
      await rename(temporary, path);
      await syncFolder(folder);
      return digest;
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => {});
      throw storageError(error, path);
    }
  }

  /** The bytes of the blob, after a check against the digest. */
  async get(digest: string): Promise<Buffer> {
    const path = this.path(digest);
    let bytes: Buffer;
    try {
      const status = await stat(path);
      if (!status.isFile() || status.size > largestBlobBytes) throw this.#noBlob(digest, path, status.size);
      bytes = await readFile(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw storageError(error, path);
      throw new EngineError({
        code: "blob_missing",
        message: `blob ${digest} isn't there`,
        where: { file: path },
        remedy: "redo the step that made it",
        cause: error,
      });
    }
    const found = blobDigest(bytes);
    if (found === digest) return bytes;
    throw new EngineError({
      code: "blob_corrupt",
      message: `blob ${digest} holds other bytes now, ${bytes.byteLength} of them with digest ${found}`,
      where: { file: path },
      remedy: "delete the file and redo the step that made it; check the disk",
      details: { expected: digest, found },
    });
  }

  #noBlob(digest: string, path: string, size: number): EngineError {
    return new EngineError({
      code: "blob_corrupt",
      message: `blob ${digest} is no regular file of at most ${largestBlobBytes} bytes; it says ${size}`,
      where: { file: path },
      remedy: "delete it and redo the step that made it; check the disk",
    });
  }

  /** Deletes the blob; whoever calls this knows that nothing refers to it. */
  async remove(digest: string): Promise<void> {
    await rm(this.path(digest), { force: true });
  }
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch {
    return null;
  }
}

async function writeDurably(path: string, data: Uint8Array): Promise<void> {
  let handle: FileHandle | null = null;
  try {
    handle = await open(path, "wx");
    await handle.writeFile(data);
    await handle.sync();
  } finally {
    await handle?.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
