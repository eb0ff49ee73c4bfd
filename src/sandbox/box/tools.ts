// The programs of the host that the box is made of. Each is looked up once; none of them is taken from an image.
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { SandboxError } from "../../contract/index.ts";

const folders = ["/usr/sbin", "/usr/bin", "/sbin", "/bin", "/usr/local/sbin", "/usr/local/bin"];

/** The whole environment of every process that prepares a sandbox; nothing of ours is handed on. */
export const launchEnvironment = { PATH: folders.join(":") } as const;

const packages: Readonly<Record<string, string>> = {
  bwrap: "bubblewrap",
  nsenter: "util-linux",
  unshare: "util-linux",
  mount: "mount",
  mkfifo: "coreutils",
  cp: "coreutils",
  tar: "tar",
  pasta: "passt",
  slirp4netns: "slirp4netns",
};

/** The absolute path of a program, or null. */
export function findTool(name: string): string | null {
  for (const folder of folders) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {}
  }
  return null;
}

/** The absolute path of a program that is needed; SandboxError `tool_missing` says what to install. */
export function requireTool(name: string): string {
  const path = findTool(name);
  if (path !== null) return path;
  throw new SandboxError({
    code: "tool_missing",
    message: `the program ${name}, of which sandboxes are made, is not on this machine`,
    remedy: `install it: apt-get install ${packages[name] ?? name}`,
  });
}

/**
 * A program and its arguments, to be run so that no mode of a layer's files stops it: root may everything; an ordinary
 * user is root of what is his in a user namespace of the program's own.
 */
export function asLayerOwner(program: string, words: readonly string[]): [string, string[]] {
  if (process.getuid?.() === 0) return [requireTool(program), [...words]];
  return [requireTool("unshare"), ["--user", "--map-root-user", requireTool(program), ...words]];
}
