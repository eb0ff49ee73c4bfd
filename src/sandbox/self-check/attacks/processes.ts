// Processes: of the host, of another sandbox, and what a killed sandbox leaves.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import type { SandboxHandle } from "../../../contract/index.ts";
import { type Attack, hole, unless } from "../attack.ts";
import { callNumber, perl, seesProcess, shell } from "../inside.ts";

const runsOnHost = (mark: string): boolean =>
  readdirSync("/proc").some((entry) => {
    if (!/^\d+$/.test(entry)) return false;
    try {
      return readFileSync(`/proc/${entry}/cmdline`, "utf8").split("\0").includes(mark);
    } catch {
      return false;
    }
  });

const hostProcess: Attack = {
  id: "host-process",
  title: "see and kill a process of the host",
  proves: "process numbers inside name nothing outside",
  async run({ create, host }) {
    const sandbox = await create();
    const evidence = (await seesProcess(sandbox, host.processMark)) ? ["a process of the host shows in /proc"] : [];
    await shell(sandbox, `kill -9 ${host.processId()} 2>/dev/null; true`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (!host.isProcessAlive()) evidence.push(`process ${host.processId()} of the host was killed`);
    return unless(evidence, "a process of the host neither showed nor died");
  },
};

const kinds = ["pid", "net", "ipc", "uts", "mnt"] as const;
/** Made by the kernel before any other. */
const firstPidNamespace = "pid:[4026531836]";

const namespacesOf = async (sandbox: SandboxHandle): Promise<Map<string, string>> => {
  const text = await shell(sandbox, `for n in ${kinds.join(" ")}; do echo $n $(readlink /proc/self/ns/$n); done`);
  return new Map(text.split("\n").map((line) => line.split(" ") as [string, string]));
};
const hostNamespace = (kind: string): string | null => {
  try {
    return readlinkSync(`/proc/self/ns/${kind}`);
  } catch {
    return null;
  }
};

const namespaces: Attack = {
  id: "namespaces",
  title: "share a namespace with the host",
  proves: "processes, network, shared memory, host name and mounts are the sandbox's own",
  async run({ create }) {
    const found = await namespacesOf(await create());
    const evidence = kinds
      .filter((kind) => found.get(kind) === hostNamespace(kind) || !found.get(kind))
      .map((kind) => (found.get(kind) ? `the ${kind} namespace is the host's` : `its ${kind} namespace can't be told`));
    return unless(evidence, `${kinds.join(", ")} are its own`);
  },
};

/** Whether a broad kill is safe to try: only where process numbers are certainly the sandbox's own. */
async function broadKillWouldEscape(sandbox: SandboxHandle): Promise<string | null> {
  const own = (await namespacesOf(sandbox)).get("pid");
  if (!own?.startsWith("pid:[")) return "its pid namespace can't be told, so that it was not tried";
  if (own === hostNamespace("pid") || own === firstPidNamespace)
    return "its pid namespace is the host's; it would have killed everything, and was not tried";
  const count = Number(await shell(sandbox, "ls /proc | grep -c '^[0-9]'"));
  return count > 40 ? `${count} processes show, too many to be its own; it was not tried` : null;
}

const broadKill: Attack = {
  id: "broad-kill",
  title: "kill everything: kill -9 -1, pkill",
  proves: "a broad kill ends the agent's own processes and nothing else; the sandbox goes on",
  async run({ create, host }) {
    const sandbox = await create();
    const danger = await broadKillWouldEscape(sandbox);
    if (danger !== null) return hole(danger);
    const neighbour = await create();
    const mark = host.mark();
    await shell(neighbour, `sleep ${mark} >/dev/null 2>&1 &`);
    await shell(sandbox, "sleep 30 >/dev/null 2>&1 &");
    await shell(sandbox, "pkill -9 sleep 2>/dev/null; kill -9 1 2>/dev/null; kill -9 -1");
    const evidence: string[] = [];
    if (!host.isProcessAlive()) evidence.push("a process of the host died");
    if (!(await seesProcess(neighbour, mark))) evidence.push("a process of another sandbox died");
    if ((await shell(sandbox, "echo on")) !== "on") evidence.push("the sandbox doesn't go on");
    return unless(evidence, "the host, another sandbox and this one went on");
  },
};

const neighbours: Attack = {
  id: "neighbour",
  title: "see another sandbox",
  proves: "two sandboxes share neither processes nor files nor shared memory",
  async run({ create, host }) {
    const [one, other] = [await create(), await create()];
    const mark = host.mark();
    await shell(
      one,
      `sleep ${mark} >/dev/null 2>&1 & for d in /tmp /var/tmp /dev/shm /run; do : 2>/dev/null > $d/n${mark}; done; true`,
    );
    const evidence = (await seesProcess(other, mark)) ? ["a process of another sandbox shows"] : [];
    const files = await shell(other, `ls /tmp/n${mark} /var/tmp/n${mark} /dev/shm/n${mark} /run/n${mark} 2>/dev/null`);
    await shell(one, `rm -f /tmp/n${mark} /var/tmp/n${mark} /dev/shm/n${mark} /run/n${mark}`);
    if (files !== "") evidence.push(`files of another sandbox show: ${files.split("\n").join(", ")}`);
    return unless(evidence, "nothing of it showed");
  },
};

const leftovers: Attack = {
  id: "leftover-process",
  title: "outlive the kill as a daemon",
  proves: "killing a sandbox ends every process in it, in sessions of their own and deaf to signals too",
  async run({ create, host }) {
    const sandbox = await create();
    const mark = host.mark();
    await shell(
      sandbox,
      `(setsid sh -c 'trap "" HUP INT TERM; sleep ${mark}; true' >/dev/null 2>&1 &); sh -c 'trap "" HUP TERM; (sleep ${mark}; true) >/dev/null 2>&1 &'; sleep 0.2`,
    );
    const before = await sandbox.processes();
    await sandbox.killAll();
    const evidence: string[] = [];
    const after = await sandbox.processes();
    if (after > 0) evidence.push(`${after} of ${before} processes are still there`);
    if (runsOnHost(mark)) evidence.push("a process that it started still runs on the host");
    return unless(evidence, `${before} processes, none left`);
  },
};

const tracing: Attack = {
  id: "trace-others",
  title: "trace processes that are not its own",
  proves: "what holds the sandbox can't be stopped, read or changed from inside",
  async run({ create, host }) {
    const sandbox = await create();
    const text = `my $own = readlink("/proc/self/ns/mnt"); opendir(my $folder, "/proc"); for my $pid ((grep { /^\\d+$/ } readdir($folder)), ${host.processId()}) {
      my $its = readlink("/proc/$pid/ns/mnt"); next if defined($its) && $its eq $own && $pid != ${host.processId()};
      my $cmd = ""; if (open(my $f, "<", "/proc/$pid/cmdline")) { $cmd = <$f> // "" }
      next if $pid == ${host.processId()} && index($cmd, "${host.processMark}") < 0;
      my $answer = syscall(${callNumber("ptrace")}, 0x4206, $pid + 0, 0, 0); print "$pid\\n" if $answer == 0; }`;
    const traced = (await perl(sandbox, text)).split("\n").filter(Boolean);
    return unless(
      traced.map((pid) => `process ${pid}, which is not its own, could be traced`),
      "none could be",
    );
  },
};

export const processAttacks: readonly Attack[] = [hostProcess, namespaces, broadKill, neighbours, leftovers, tracing];
