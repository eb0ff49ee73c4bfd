// What this machine is, read once: the facts from which `doctor` tells what is missing.
import { execFileSync, spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync, readFileSync, statfsSync } from "node:fs";
import { availableParallelism, freemem, release, totalmem, userInfo } from "node:os";
import { delimiter, join } from "node:path";

export type Machine = {
  readonly platform: string;
  readonly node: string;
  readonly processors: number;
  readonly memoryBytes: number;
  readonly freeMemoryBytes: number;
  readonly kernel: string;
  readonly distribution: string;
  /** `container docker`, `virtual machine kvm`, `hardware`; as far as can be told. */
  readonly runsIn: string;
  readonly user: string;
  readonly isRoot: boolean;
  /** How root is had without a question: by being it, by sudo, or not at all. */
  readonly becomesRoot: "root" | "sudo" | null;
  readonly packageManager: string | null;
  readonly controlGroups: "version 1" | "version 2" | "both versions" | "none";
  readonly programs: Readonly<Record<string, boolean>>;
  readonly userNamespaces: {
    readonly maximum: number | null;
    /** Debian's switch for ordinary users. */
    readonly forUsers: number | null;
    /** Ubuntu's: AppArmor lets only listed programs make them. */
    readonly appArmor: number | null;
    /** Why one can't be made with what a sandbox needs, null when it can. */
    readonly problem: string | null;
  };
  /** Why /dev/net/tun can't be used, null when it can: a sandbox's full network goes through it. */
  readonly tunnelProblem: string | null;
  readonly cache: { readonly path: string; readonly isOverlay: boolean; readonly freeBytes: number };
};

const programs = ["bwrap", "unshare", "nsenter", "mount", "setpriv", "mkfifo", "tar", "perl", "ip", "slirp4netns"];
const managers = ["apt-get", "dnf", "zypper", "pacman", "apk"];
const folders = ["/usr/sbin", "/usr/bin", "/sbin", "/bin", "/usr/local/sbin", "/usr/local/bin"];
const overlayMagic = 0x794c7630;

export function readMachine(cacheDirectory: string): Machine {
  const isRoot = process.getuid?.() === 0;
  const sudo = !isRoot && has("sudo") && spawnSync("sudo", ["-n", "true"], { stdio: "ignore" }).status === 0;
  return {
    platform: process.platform,
    node: process.versions.node,
    processors: availableParallelism(),
    memoryBytes: totalmem(),
    freeMemoryBytes: freemem(),
    kernel: release(),
    distribution: /^PRETTY_NAME="?(.*?)"?$/m.exec(read("/etc/os-release") ?? "")?.[1] ?? process.platform,
    runsIn: surroundings(),
    user: userName(),
    isRoot,
    becomesRoot: isRoot ? "root" : sudo ? "sudo" : null,
    packageManager: managers.find(has) ?? null,
    controlGroups: controlGroups(),
    programs: Object.fromEntries([...programs, "pasta", "buildah", "dockerd"].map((name) => [name, has(name)])),
    userNamespaces: {
      maximum: number("/proc/sys/user/max_user_namespaces"),
      forUsers: number("/proc/sys/kernel/unprivileged_userns_clone"),
      appArmor: number("/proc/sys/kernel/apparmor_restrict_unprivileged_userns"),
      problem: namespaceProblem(),
    },
    tunnelProblem: tunnelProblem(),
    cache: cacheFolder(cacheDirectory),
  };
}

const has = (name: string): boolean =>
  [...folders, ...(process.env.PATH ?? "").split(delimiter)].some(
    (folder) => folder !== "" && existsSync(join(folder, name)),
  );

function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

function number(path: string): number | null {
  const text = read(path);
  return text === null || text.trim() === "" ? null : Number(text);
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}

function surroundings(): string {
  // The file alone says little: it stays in a root file system that was made from an image.
  if (existsSync("/.dockerenv") && statfsSync("/").type === overlayMagic) return "a container (docker)";
  if (existsSync("/run/.containerenv")) return "a container (podman)";
  const named = /(?:^|\0)container=([^\0]+)/.exec(read("/proc/1/environ") ?? "")?.[1];
  if (named !== undefined) return `a container (${named})`;
  if (!/^flags.*\bhypervisor\b/m.test(read("/proc/cpuinfo") ?? "")) return "hardware, as far as can be told";
  const vendor = read("/sys/class/dmi/id/product_name")?.trim();
  return `a virtual machine${vendor ? ` (${vendor})` : ""}`;
}

function controlGroups(): Machine["controlGroups"] {
  const second = existsSync("/sys/fs/cgroup/cgroup.controllers");
  const first = existsSync("/sys/fs/cgroup/memory") || existsSync("/sys/fs/cgroup/pids");
  if (second) return "version 2";
  if (!first) return "none";
  return existsSync("/sys/fs/cgroup/unified/cgroup.controllers") ? "both versions" : "version 1";
}

/** Makes the namespaces of a sandbox for a moment. */
function namespaceProblem(): string | null {
  if (process.platform !== "linux" || !has("unshare")) return null;
  const words = ["--user", "--map-root-user", "--mount", "--pid", "--net", "--ipc", "--fork", "true"];
  try {
    execFileSync("unshare", words, { stdio: "pipe", encoding: "utf8", timeout: 5000 });
    return null;
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    return stderr?.trim() || message;
  }
}

function tunnelProblem(): string | null {
  try {
    accessSync("/dev/net/tun", constants.R_OK | constants.W_OK);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

function cacheFolder(path: string): Machine["cache"] {
  mkdirSync(path, { recursive: true });
  const status = statfsSync(path);
  return { path, isOverlay: status.type === overlayMagic, freeBytes: status.bavail * status.bsize };
}
