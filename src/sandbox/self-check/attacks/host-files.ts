// Files of the host: read, written, or simply there.
import { statSync } from "node:fs";
import { shellQuote } from "../../../contract/index.ts";
import { type Attack, unless } from "../attack.ts";
import { shell } from "../inside.ts";

/** What no image has in common with the machine; /usr may be the machine's own, and is then read-only. */
const places = [
  "/etc",
  "/etc/passwd",
  "/etc/shadow",
  "/etc/machine-id",
  "/etc/hostname",
  "/root",
  "/home",
  "/boot",
  "/var/lib",
  "/var/log",
  "/run",
  "/tmp",
  "/srv",
  "/opt",
  "/mnt",
  "/var/run/docker.sock",
  "/run/containerd",
];

const readHostFile: Attack = {
  id: "host-file-read",
  title: "read a file of the host",
  proves: "neither by its path nor through any process does a file of the host show",
  async run({ create, host }) {
    const sandbox = await create();
    const path = shellQuote(host.file);
    const seen = await shell(
      sandbox,
      `cat ${path} 2>/dev/null; for p in /proc/[0-9]* /proc/self; do cat $p/root${path} $p/cwd${path} 2>/dev/null; done; for f in /proc/self/fd/*; do cat $f/..${path} $f/../../../../../../..${path} 2>/dev/null; done`,
    );
    const evidence = seen.includes(host.secret) ? [`the content of ${host.file} was read`] : [];
    const inside = await shell(sandbox, `stat -L -c '%d:%i %n' ${places.map(shellQuote).join(" ")} 2>/dev/null`);
    for (const line of inside.split("\n")) {
      const [identity = "", place = ""] = line.split(" ");
      if (place !== "" && identity === identityOf(place)) evidence.push(`${place} is the host's own`);
    }
    return unless(evidence, `${host.file} and ${places.length} places of the host don't show`);
  },
};

function identityOf(path: string): string | null {
  try {
    const status = statSync(path);
    return `${status.dev}:${status.ino}`;
  } catch {
    return null;
  }
}

const writeHostFile: Attack = {
  id: "host-file-write",
  title: "write to a file of the host",
  proves: "what is written inside stays inside",
  async run({ create, host }) {
    const sandbox = await create();
    const name = `routesetter-${host.secret.slice(7, 15)}`;
    const path = shellQuote(host.file);
    await shell(
      sandbox,
      `echo x 2>/dev/null > ${path}; for p in /proc/[0-9]*; do echo x 2>/dev/null > $p/root${path}; done; for d in /usr /usr/bin /usr/lib /usr/local/bin; do : 2>/dev/null > $d/${name}; done; true`,
    );
    const evidence = host.isFileUntouched() ? [] : [`${host.file} was changed`];
    for (const folder of ["/usr", "/usr/bin", "/usr/lib", "/usr/local/bin"])
      if (identityOf(`${folder}/${name}`) !== null) evidence.push(`${folder}/${name} was made on the host`);
    if (evidence.length > 0)
      await shell(sandbox, `rm -f /usr/${name} /usr/bin/${name} /usr/lib/${name} /usr/local/bin/${name}`);
    return unless(evidence, `${host.file} and the machine's /usr stayed as they were`);
  },
};

/** Opened for writing, never written to. */
const settings = [
  "/proc/sys/kernel/core_pattern",
  "/proc/sys/kernel/modprobe",
  "/proc/sys/kernel/panic",
  "/proc/sys/vm/drop_caches",
  "/proc/sys/user/max_user_namespaces",
  "/proc/sys/fs/file-max",
  "/proc/sysrq-trigger",
  "/sys/kernel/uevent_helper",
  "/sys/kernel/mm/transparent_hugepage/enabled",
  "/sys/power/state",
  "/sys/fs/cgroup/cgroup.procs",
  "/sys/fs/cgroup/memory/cgroup.procs",
  "/sys/fs/cgroup/pids/cgroup.procs",
  "/sys/fs/cgroup/release_agent",
  "/sys/fs/cgroup/memory/release_agent",
];

const kernelSettings: Attack = {
  id: "kernel-settings",
  title: "open settings of the kernel for writing",
  proves: "sysctls, sysfs and control groups are read-only or not there",
  async run({ create }) {
    const sandbox = await create();
    const opened = await shell(
      sandbox,
      `for f in ${settings.join(" ")}; do [ -e $f ] && (: >> $f) 2>/dev/null && echo $f; done; head -c 1 /proc/kcore >/dev/null 2>&1 && [ "$(head -c 4 /proc/kcore | tail -c 3)" = ELF ] && echo /proc/kcore; true`,
    );
    const evidence = [...new Set(opened.split("\n").filter(Boolean))].map((file) => `${file} could be opened`);
    return unless(evidence, `${settings.length} settings, none opened`);
  },
};

export const hostFiles: readonly Attack[] = [readHostFile, writeHostFile, kernelSettings];
