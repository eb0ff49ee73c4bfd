// A git repository as a folder to read: the host's git, without its settings, hooks, prompts, submodules and filters.
import { execFile } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { ConfigError, SandboxError } from "../../../contract/index.ts";

const run = promisify(execFile);

export type Checkout = { readonly directory: string; readonly commit: string };

/** A URL, an scp-like address, a bundle, or a bare repository: something that has to be cloned to be read. */
export function isGitSource(source: string): boolean {
  if (/^(?:https?|ssh|git|file|ext|fd):\/\//.test(source) || /^ext::/.test(source)) return true;
  if (/\.bundle$/.test(source) && existsSync(source) && statSync(source).isFile()) return true;
  return existsSync(`${source}/HEAD`) && existsSync(`${source}/objects`) && existsSync(`${source}/refs`);
}

const guards = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.symlinks=true",
  "core.protectHFS=true",
  "core.protectNTFS=true",
  "credential.helper=",
  "protocol.allow=never",
  "protocol.https.allow=always",
  "protocol.http.allow=always",
  "protocol.file.allow=always",
  "submodule.recurse=false",
  "filter.lfs.smudge=",
  "filter.lfs.required=false",
  "transfer.fsckObjects=true",
].flatMap((setting) => ["-c", setting]);

/** Only what git needs, and nothing that names credentials. */
function environment(): Record<string, string> {
  const kept = [
    "PATH",
    "SSL_CERT_FILE",
    "GIT_SSL_CAINFO",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
  ];
  const variables: Record<string, string> = {
    HOME: "/nonexistent",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "/bin/false",
    SSH_ASKPASS: "/bin/false",
    LC_ALL: "C",
  };
  for (const name of kept) if (process.env[name] !== undefined) variables[name] = process.env[name];
  return variables;
}

/**
 * Clones the newest commit into `directory` unless it is there. Errors: ConfigError `source_refused` (a protocol that is
 * not allowed), SandboxError `clone_failed`.
 */
export async function checkOut(source: string, directory: string, signal: AbortSignal): Promise<Checkout> {
  const protocol = /^([a-z]+):/.exec(source)?.[1];
  if (protocol !== undefined && !["https", "http", "file"].includes(protocol))
    throw new ConfigError({
      code: "source_refused",
      message: `${protocol}: is no protocol that is cloned from`,
      remedy: "give an https or file address, a bundle, or a folder that you cloned yourself",
    });
  if (/^https?:\/\/[^/]*@/.test(source))
    throw new ConfigError({
      code: "source_refused",
      message: "the address holds credentials, which would end up in reports",
      remedy: "clone it yourself and give the folder",
    });
  const git = (args: readonly string[]) =>
    run("git", [...guards, ...args], { env: environment(), signal, timeout: 600_000, maxBuffer: 1 << 20 });
  try {
    if (!existsSync(directory)) {
      const partial = `${directory}.partial`;
      await rm(partial, { recursive: true, force: true });
      await mkdir(dirname(directory), { recursive: true });
      const address = protocol === undefined && !source.endsWith(".bundle") ? `file://${source}` : source;
      await git([
        "clone",
        "--quiet",
        "--depth",
        "1",
        "--no-tags",
        "--no-recurse-submodules",
        "--template=",
        "--",
        address,
        partial,
      ]);
      await rename(partial, directory);
    }
    const { stdout } = await git(["-C", directory, "rev-parse", "HEAD"]);
    return { directory, commit: stdout.trim() };
  } catch (error) {
    signal.throwIfAborted();
    const { stderr } = error as { stderr?: string };
    throw new SandboxError({
      code: "clone_failed",
      message: `${source} can't be cloned: ${(stderr ?? (error as Error).message).trim().split("\n").at(-1)?.slice(0, 300)}`,
      remedy: "see that the address is right and can be reached without a password",
      isRetryable: true,
      cause: error,
    });
  }
}
