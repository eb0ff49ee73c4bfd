// The root around the machine's /usr: synthesised /etc, links like /bin -> usr/bin, empty system folders. Nothing of
// the machine's own accounts, keys or settings gets in; only what its packages ship.
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { HostNode, HostTree } from "./tree.ts";

/** Part of the base's digest: changes when the skeleton's making does. */
export const skeletonVersion = 1;

export const skeletonDirectories: Readonly<Record<string, number>> = {
  "/": 0o755,
  "/boot": 0o755,
  "/dev": 0o755,
  "/etc": 0o755,
  "/home": 0o755,
  "/media": 0o755,
  "/mnt": 0o755,
  "/opt": 0o755,
  "/proc": 0o555,
  "/root": 0o700,
  "/run": 0o755,
  "/run/lock": 0o1777,
  "/srv": 0o755,
  "/sys": 0o555,
  "/tmp": 0o1777,
  "/usr": 0o755,
  "/var": 0o755,
  "/var/backups": 0o755,
  "/var/cache": 0o755,
  "/var/lib": 0o755,
  "/var/lib/dpkg": 0o755,
  "/var/local": 0o2775,
  "/var/log": 0o755,
  "/var/mail": 0o2775,
  "/var/opt": 0o755,
  "/var/spool": 0o755,
  "/var/tmp": 0o1777,
};

const users =
  "root:x:0:0:root:/root:/bin/bash daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin bin:x:2:2:bin:/bin:/usr/sbin/nologin sys:x:3:3:sys:/dev:/usr/sbin/nologin mail:x:8:8:mail:/var/mail:/usr/sbin/nologin www-data:x:33:33:www-data:/var/www:/usr/sbin/nologin nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin";
const groups =
  "root:x:0: daemon:x:1: bin:x:2: sys:x:3: adm:x:4: tty:x:5: disk:x:6: mail:x:8: staff:x:50: shadow:x:42: www-data:x:33: users:x:100: nogroup:x:65534:";

/** Files of /etc that come from packages, hold no secret and make commands behave. */
// biome-ignore format: a list of names
const copied = [
  "alternatives", "bash.bashrc", "debian_version", "gai.conf", "host.conf", "inputrc", "ld.so.cache", "ld.so.conf",
  "ld.so.conf.d", "locale.alias", "login.defs", "lsb-release", "magic", "mime.types", "os-release", "pam.conf", "pam.d",
  "perl", "profile", "protocols", "python3", "python3.11", "python3.12", "python3.13", "rpc", "security", "services",
  "shells", "skel", "ssl/certs", "ssl/openssl.cnf", "terminfo", "vim", "xattr.conf", "ca-certificates.conf",
];

/** Puts the skeleton into `tree`. */
export function fillSkeleton(tree: HostTree): void {
  for (const [path, mode] of Object.entries(skeletonDirectories)) tree.set(path, directory(mode));
  for (const name of readdirSync("/")) {
    const status = lstatSync(join("/", name));
    if (status.isSymbolicLink() && /^\/?usr\//.test(readlinkSync(join("/", name))))
      tree.set(`/${name}`, link(readlinkSync(join("/", name)).replace(/^\//, "")));
  }
  tree.set("/var/run", link("/run"));
  tree.set("/var/lock", link("/run/lock"));
  const passwd = accounts("passwd", users);
  const group = accounts("group", groups);
  const names = (text: string) =>
    text
      .trimEnd()
      .split("\n")
      .map((line) => line.split(":")[0]);
  const write = (path: string, content: string, mode = 0o644, gid = 0): void =>
    tree.set(path, { type: "file", mode, uid: 0, gid, content: Buffer.from(content) });
  const shadowGroup = Number(/^shadow:[^:]*:(\d+)/m.exec(group)?.[1] ?? 0);
  write("/etc/passwd", passwd);
  write("/etc/group", group);
  write(
    "/etc/shadow",
    names(passwd)
      .map((name) => `${name}:*:19700:0:99999:7:::\n`)
      .join(""),
    0o640,
    shadowGroup,
  );
  write(
    "/etc/gshadow",
    names(group)
      .map((name) => `${name}:*::\n`)
      .join(""),
    0o640,
    shadowGroup,
  );
  write("/etc/hosts", "127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n");
  write("/etc/hostname", "sandbox\n");
  write("/etc/resolv.conf", "");
  write(
    "/etc/nsswitch.conf",
    "passwd: files\ngroup: files\nshadow: files\nhosts: files dns\nservices: files\nprotocols: files\n",
  );
  write("/etc/timezone", "Etc/UTC\n");
  write("/etc/environment", "");
  write("/etc/fstab", "");
  tree.set("/etc/localtime", link("/usr/share/zoneinfo/Etc/UTC"));
  tree.set("/etc/mtab", link("/proc/mounts"));
  for (const name of copied) copyInto(tree, `/etc/${name}`);
  copyInto(tree, "/var/lib/dpkg/status");
  for (const name of [".bashrc", ".profile"])
    try {
      write(
        `/root/${name}`,
        readFileSync(`/usr/share/base-files/${name === ".bashrc" ? "dot.bashrc" : "dot.profile"}`, "utf8"),
      );
    } catch {}
}

/** A file, folder or link of the machine, readable by everyone or left out; owned by root. */
export function copyInto(tree: HostTree, path: string): boolean {
  let status: ReturnType<typeof lstatSync>;
  try {
    status = lstatSync(path);
  } catch {
    return false;
  }
  if (status.isSymbolicLink()) tree.set(path, link(readlinkSync(path)));
  else if (status.isDirectory()) {
    if ((status.mode & 0o5) !== 0o5) return false;
    tree.set(path, directory(status.mode & 0o7777));
    for (const name of readdirSync(path)) copyInto(tree, join(path, name));
  } else if (status.isFile() && (status.mode & 0o4) !== 0)
    tree.set(path, { type: "file", mode: status.mode & 0o7777, uid: 0, gid: 0, content: readFileSync(path) });
  else return false;
  return true;
}

const directory = (mode: number): HostNode => ({ type: "directory", mode, uid: 0, gid: 0 });
const link = (target: string): HostNode => ({ type: "symlink", mode: 0o777, uid: 0, gid: 0, target });

/** The distribution's own accounts, and the machine's system accounts that packages made (uid below 1000). */
function accounts(name: "passwd" | "group", fallback: string): string {
  let lines = fallback.split(" ").map((line) => line.trim());
  try {
    lines = readFileSync(`/usr/share/base-passwd/${name}.master`, "utf8")
      .trim()
      .split("\n")
      .map((line) => line.replace(/^([^:]+):\*:/, "$1:x:"));
  } catch {}
  const taken = new Set(lines.map((line) => line.split(":")[0]));
  try {
    for (const line of readFileSync(`/etc/${name}`, "utf8").trim().split("\n")) {
      const [account = "", , id = ""] = line.split(":");
      if (taken.has(account) || !/^\d{1,3}$/.test(id) || lines.some((other) => other.split(":")[2] === id)) continue;
      lines.push(name === "group" ? `${account}:x:${id}:` : line.replace(/^([^:]+):[^:]*:/, "$1:x:"));
    }
  } catch {}
  return `${lines.join("\n")}\n`;
}
