// A root file system's tar onto disk, and what a sandbox expects of a root that an engine exported.
import { spawn } from "node:child_process";
import { lstat, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { SandboxError } from "../../contract/index.ts";

/** Extracts with owners, modes, links and user attributes as they are; devices stay out. */
export async function extractTar(stream: Readable, directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  const root = process.getuid?.() === 0;
  const owners = root ? ["--same-owner", "--numeric-owner"] : ["--no-same-owner"];
  const child = spawn(
    "tar",
    [
      "-x",
      "-p",
      ...owners,
      "--xattrs",
      "--xattrs-include=user.*",
      "--exclude=dev/*",
      "--exclude=./dev/*",
      "-C",
      directory,
      "-f",
      "-",
    ],
    { stdio: ["pipe", "ignore", "pipe"], env: { PATH: process.env.PATH } },
  );
  let complaint = "";
  child.stderr.on("data", (chunk: Buffer) => {
    complaint = (complaint + chunk.toString("utf8")).slice(-2_000);
  });
  const done = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  done.catch(() => {});
  const [sent, code] = await Promise.all([
    pipeline(stream, child.stdin).then(
      () => null,
      (error: unknown) => error,
    ),
    done,
  ]);
  const tarIsDone = ["EPIPE", "ERR_STREAM_PREMATURE_CLOSE"].includes(
    (sent as NodeJS.ErrnoException | null)?.code ?? "",
  );
  if (code !== 0 || (sent && !tarIsDone))
    throw new SandboxError({
      code: /No space left/.test(complaint) ? "host_disk_full" : "image_export_failed",
      message: `the image's file system can't be extracted: ${complaint.trim() || (sent as Error)?.message}`,
      remedy: "check the disk and try again",
      cause: sent,
    });
}

/** Engines mount these at run time and export them empty or not at all. */
export async function completeRoot(directory: string): Promise<void> {
  await rm(join(directory, ".dockerenv"), { force: true });
  for (const [name, mode] of [
    ["proc", 0o555],
    ["sys", 0o555],
    ["dev", 0o755],
    ["tmp", 0o1777],
    ["etc", 0o755],
  ] as const) {
    const there = await lstat(join(directory, name)).catch(() => null);
    if (!there) await mkdir(join(directory, name), { mode });
  }
  const etc = await lstat(join(directory, "etc"));
  if (!etc.isDirectory()) return;
  for (const [name, content] of [
    ["hosts", "127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n"],
    ["hostname", "sandbox\n"],
    ["resolv.conf", ""],
  ] as const) {
    const file = join(directory, "etc", name);
    const there = await lstat(file).catch(() => null);
    if (!there || (there.isFile() && there.size === 0)) await writeFile(file, content);
  }
}
