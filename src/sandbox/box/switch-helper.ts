// Running a command as another user needs a program inside the sandbox, and the image may have none. So the host's
// setpriv, with its loader and libraries, is laid out in a folder that is bound into the sandbox's /dev for that command.
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { helperFolder } from "./bubblewrap-arguments.ts";
import { launchEnvironment, requireTool } from "./tools.ts";
import type { User } from "./users.ts";

/** Puts the helper into `directory`, once. */
export function layOutHelper(directory: string): void {
  if (existsSync(join(directory, "loader"))) return;
  mkdirSync(directory, { recursive: true, mode: 0o755 });
  chmodSync(directory, 0o755);
  const program = requireTool("setpriv");
  const listing = execFileSync("ldd", [program], { env: launchEnvironment, encoding: "utf8" });
  for (const line of listing.split("\n")) {
    const path = /(\/\S+) \(0x/.exec(line)?.[1];
    if (path !== undefined) put(path, join(directory, basename(path).startsWith("ld-") ? "loader" : basename(path)));
  }
  put(program, join(directory, "setpriv"));
}

function put(source: string, target: string): void {
  copyFileSync(source, target);
  chmodSync(target, 0o755);
}

/** `command` as `user`, by way of the helper. */
export const asUser = (user: User, command: readonly string[]): string[] => [
  `${helperFolder}/loader`,
  "--library-path",
  helperFolder,
  `${helperFolder}/setpriv`,
  `--reuid=${user.uid}`,
  `--regid=${user.gid}`,
  user.groups.length > 0 ? `--groups=${[user.gid, ...user.groups].join(",")}` : "--clear-groups",
  "--",
  ...command,
];
