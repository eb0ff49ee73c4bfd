// Which distribution packages this machine has, read from dpkg's database in one go; without dpkg, whether the
// package's command is there.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";

export type InstalledPackage = {
  readonly version: string;
  readonly conffiles: readonly { path: string; md5: string }[];
};
export type HostPackages = {
  /** sha256 over names and versions; null without dpkg. */
  readonly digest: string | null;
  /** The installed package, or null; `any` when only its command was found. */
  find(name: string): InstalledPackage | null;
};

const statusFile = "/var/lib/dpkg/status";
const commandDirectories = ["/usr/bin", "/usr/sbin", "/bin", "/sbin"];
const commands: Readonly<Record<string, string>> = {
  coreutils: "ls",
  "python3-minimal": "python3",
  "python3-pip": "pip3",
  procps: "ps",
  "xz-utils": "xz",
  "util-linux": "mount",
  findutils: "find",
  diffutils: "diff",
  gawk: "gawk",
  mawk: "mawk",
  openssl: "openssl",
  "net-tools": "netstat",
  iproute2: "ip",
  dnsutils: "dig",
  zstd: "zstd",
  binutils: "ld",
  "build-essential": "gcc",
  "openssh-client": "ssh",
};
let cached: { key: string; packages: HostPackages } | null = null;

export function readHostPackages(path = statusFile): HostPackages {
  let key = "";
  try {
    const status = statSync(path);
    key = `${path} ${status.mtimeMs} ${status.size} ${status.ino}`;
  } catch {
    return { digest: null, find: findByCommand };
  }
  if (cached?.key === key) return cached.packages;
  const packages = parseDpkgStatus(readFileSync(path, "utf8"));
  cached = { key, packages };
  return packages;
}

export function parseDpkgStatus(text: string): HostPackages {
  const installed = new Map<string, InstalledPackage>();
  const provided = new Map<string, InstalledPackage>();
  const hash = createHash("sha256");
  for (const paragraph of text.split("\n\n")) {
    const fields = new Map<string, string>();
    let field = "";
    for (const line of paragraph.split("\n")) {
      const match = /^([A-Za-z-]+):\s*(.*)$/.exec(line);
      if (match) {
        field = match[1] as string;
        fields.set(field, match[2] as string);
      } else if (field === "Conffiles") fields.set(field, `${fields.get(field)}\n${line.trim()}`);
    }
    const name = fields.get("Package");
    if (!name || !/\binstalled$/.test(fields.get("Status") ?? "") || /not-installed/.test(fields.get("Status") ?? ""))
      continue;
    const conffiles = (fields.get("Conffiles") ?? "").split("\n").flatMap((line) => {
      const [file, md5, flag] = line.split(" ");
      return file?.startsWith("/") && md5 && flag === undefined ? [{ path: file, md5 }] : [];
    });
    const entry = { version: fields.get("Version") ?? "", conffiles };
    installed.set(name, entry);
    hash.update(`${name} ${entry.version}\n`);
    for (const one of (fields.get("Provides") ?? "").split(","))
      if (one.trim()) provided.set(one.trim().split(" ")[0] as string, entry);
  }
  return { digest: hash.digest("hex"), find: (name) => installed.get(name) ?? provided.get(name) ?? null };
}

function findByCommand(name: string): InstalledPackage | null {
  const command = commands[name] ?? name;
  if (name === "ca-certificates") return existsSync("/etc/ssl/certs") ? { version: "", conffiles: [] } : null;
  return commandDirectories.some((directory) => existsSync(`${directory}/${command}`))
    ? { version: "", conffiles: [] }
    : null;
}
