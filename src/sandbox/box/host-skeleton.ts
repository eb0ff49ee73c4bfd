// The root of the `host` image: a file system with only configuration in it, made up or copied from the few public files
// that programs need; the machine's own /usr is bound read-only over it when a sandbox runs.
import { chmod, copyFile, cp, lstat, mkdir, readlink, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { shiftOwners } from "./owner-shift.ts";

const directories: readonly (readonly [path: string, mode: number])[] = [
  ["dev", 0o755],
  ["etc", 0o755],
  ["home", 0o755],
  ["opt", 0o755],
  ["proc", 0o555],
  ["root", 0o700],
  ["run", 0o755],
  ["srv", 0o755],
  ["sys", 0o555],
  ["tmp", 0o1777],
  ["usr", 0o755],
  ["var/cache", 0o755],
  ["var/lib", 0o755],
  ["var/log", 0o755],
  ["var/spool", 0o755],
  ["var/tmp", 0o1777],
];

const passwd = `root:x:0:0:root:/root:/bin/sh
daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin
bin:x:2:2:bin:/bin:/usr/sbin/nologin
mail:x:8:8:mail:/var/mail:/usr/sbin/nologin
www-data:x:33:33:www-data:/var/www:/usr/sbin/nologin
nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
`;
const group = `root:x:0:
daemon:x:1:
bin:x:2:
tty:x:5:
mail:x:8:
www-data:x:33:
users:x:100:
nogroup:x:65534:
`;
const files: Readonly<Record<string, string>> = {
  "etc/passwd": passwd,
  "etc/group": group,
  "etc/shadow": "root:*:19000:0:99999:7:::\nnobody:*:19000:0:99999:7:::\nwww-data:*:19000:0:99999:7:::\n",
  "etc/shells": "/bin/sh\n/bin/bash\n",
  "etc/hostname": "box\n",
  "etc/hosts": "127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n",
  "etc/resolv.conf": "",
  "etc/nsswitch.conf":
    "passwd: files\ngroup: files\nshadow: files\nhosts: files dns\nservices: files\nprotocols: files\nnetworks: files\n",
  "etc/profile": "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\nexport PATH\n",
  "etc/fstab": "",
};

const copied = [
  "alternatives",
  "debian_version",
  "gai.conf",
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "login.defs",
  "magic",
  "mime.types",
  "os-release",
  "pam.conf",
  "pam.d",
  "protocols",
  "python3",
  "python3.11",
  "security",
  "services",
  "ssl/certs",
  "ssl/openssl.cnf",
  "terminfo",
  "java-17-openjdk",
] as const;

/**
 * Makes the skeleton root of the `host` image in `directory` (created, should be empty), with owners shifted as layers
 * must be. It holds nothing of this machine but public configuration: certificates, the loader's cache, alternatives.
 */
export async function hostSkeleton(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  await chmod(directory, 0o755);
  for (const [path, mode] of directories) {
    await mkdir(join(directory, path), { recursive: true });
    await chmod(join(directory, path), mode);
  }
  for (const name of ["bin", "sbin", "lib", "lib32", "lib64", "libx32"]) {
    const status = await lstat(`/${name}`).catch(() => null);
    if (status?.isSymbolicLink()) await symlink(await readlink(`/${name}`), join(directory, name));
  }
  for (const [path, content] of Object.entries(files)) await writeFile(join(directory, path), content, { mode: 0o644 });
  for (const name of copied) await copyPublic(`/etc/${name}`, join(directory, "etc", name));
  const zone = await readlink("/etc/localtime").catch(() => "/usr/share/zoneinfo/Etc/UTC");
  await symlink(zone.startsWith("/usr/") ? zone : "/usr/share/zoneinfo/Etc/UTC", join(directory, "etc/localtime"));
  await symlink("/proc/self/mounts", join(directory, "etc/mtab"));
  await shiftOwners(directory);
}

/** What every user of the machine may read. */
async function isPublic(path: string): Promise<boolean> {
  const status = await lstat(path);
  return status.isSymbolicLink() || (status.mode & 0o004) !== 0;
}

async function copyPublic(source: string, target: string): Promise<void> {
  const status = await lstat(source).catch(() => null);
  if (status === null) return;
  await mkdir(join(target, ".."), { recursive: true });
  if (status.isDirectory()) await cp(source, target, { recursive: true, verbatimSymlinks: true, filter: isPublic });
  else if (status.isSymbolicLink()) await symlink(await readlink(source), target);
  else await copyFile(source, target);
}
