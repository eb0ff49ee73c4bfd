// Privileges: capabilities, set-uid files, new user namespaces, mounts, devices.

import { shellQuote } from "../../../contract/index.ts";
import { type Attack, held, unless } from "../attack.ts";
import { perl, shell, tryCall } from "../inside.ts";

const dangerous: Readonly<Record<number, string>> = {
  2: "DAC_READ_SEARCH",
  9: "LINUX_IMMUTABLE",
  12: "NET_ADMIN",
  13: "NET_RAW",
  14: "IPC_LOCK",
  16: "SYS_MODULE",
  17: "SYS_RAWIO",
  19: "SYS_PTRACE",
  20: "SYS_PACCT",
  21: "SYS_ADMIN",
  22: "SYS_BOOT",
  23: "SYS_NICE",
  24: "SYS_RESOURCE",
  25: "SYS_TIME",
  27: "MKNOD",
  30: "AUDIT_CONTROL",
  32: "MAC_OVERRIDE",
  33: "MAC_ADMIN",
  34: "SYSLOG",
  38: "PERFMON",
  39: "BPF",
  40: "CHECKPOINT_RESTORE",
};

const capabilities: Attack = {
  id: "capabilities",
  title: "hold a capability that work doesn't need",
  proves: "root inside may change owners and users, and nothing of the machine",
  async run({ create }) {
    const text = await shell(await create(), "grep -E '^(Cap(Inh|Prm|Eff|Bnd|Amb)|NoNewPrivs)' /proc/self/status");
    const sets = [...text.matchAll(/^Cap(\w+):\s*([0-9a-f]+)$/gm)];
    // The bounding set matters only to whoever may gain something.
    const counted = sets.filter(([, kind]) => kind !== "Bnd" || !/NoNewPrivs:\s*1/.test(text));
    const mask = counted.reduce((sum, [, , hex]) => sum | BigInt(`0x${hex}`), 0n);
    const found = Object.entries(dangerous).filter(([bit]) => (mask >> BigInt(bit)) & 1n);
    const evidence = sets.length === 5 ? [] : ["its capabilities can't be told"];
    return unless(
      [...evidence, ...(found.length === 0 ? [] : [`it holds ${found.map(([, name]) => name).join(", ")}`])],
      "none of those that change the machine",
    );
  },
};

const setUserId: Attack = {
  id: "set-uid",
  title: "become root by a set-uid file",
  proves: "no program gives more than its caller has",
  async run({ create, backend }) {
    const sandbox = await create();
    const file = "/tmp/routesetter-set-uid";
    await shell(sandbox, `cp "$(command -v id)" ${file} && chmod 4755 ${file}`);
    const oneUser = (await backend.probe()).enforcement.some(({ limit, how }) => limit === "users" && how === "none");
    const options = { user: oneUser ? "root" : "65534:65534" };
    const text = await shell(sandbox, `${file} -u; grep NoNewPrivs /proc/self/status`, options);
    await shell(sandbox, `rm -f ${file}`);
    const evidence: string[] = [];
    if (!oneUser && text.startsWith("0\n")) evidence.push("a set-uid file made nobody root");
    if (!/NoNewPrivs:\s*1/.test(text)) evidence.push("new privileges are not shut off");
    return unless(evidence, oneUser ? "new privileges are shut off" : "nobody stays nobody");
  },
};

const userNamespace: Attack = {
  id: "user-namespace",
  title: "make a user namespace, to be root with all capabilities in it",
  proves: "the kernel's interfaces for root stay shut",
  async run({ create }) {
    const sandbox = await create();
    const evidence: string[] = [];
    const unshared = await tryCall(sandbox, "unshare", "0x10000000");
    if (unshared !== null && !/error (28|22)/.test(unshared)) evidence.push(unshared);
    // The child of a clone ends at once; its parent waits.
    const cloned = await tryCall(sandbox, "clone", "0x10000011, 0, 0, 0, 0", "$| = 1");
    if (cloned?.endsWith("carried out")) evidence.push("clone made one");
    return unless(evidence, "neither unshare nor clone makes one");
  },
};

const mounts: Attack = {
  id: "mount",
  title: "mount something",
  proves: "the view of the file system can't be changed from inside",
  async run({ create, host }) {
    const sandbox = await create();
    const folder = `/tmp/routesetter-mount-${host.mark()}`;
    await shell(sandbox, `mkdir -p ${folder}`);
    const evidence: string[] = [];
    const words = `my $none = "none"; my $folder = ${shellQuote(folder)}; my $type = "tmpfs"; my $data = ""`;
    const mounted = await tryCall(sandbox, "mount", "$none, $folder, $type, 0, $data", words);
    if (mounted !== null) evidence.push(mounted);
    await shell(sandbox, `umount ${folder} 2>/dev/null; rmdir ${folder}`);
    const opened = await tryCall(sandbox, "fsopen", "$type, 0", 'my $type = "tmpfs"');
    if (opened !== null) evidence.push(opened);
    return unless(evidence, "mount and fsopen are refused");
  },
};

const harmless = /^\/dev\/(null|zero|full|u?random|tty|console|ptmx|pts\/.*)$/;

const devices: Attack = {
  id: "devices",
  title: "open a device of the machine",
  proves: "disks, memory and the hypervisor are out of reach, and no new node leads there",
  async run({ create, host }) {
    const sandbox = await create();
    // Asked one by one: a folder's listing tells nothing of what is mounted over its files.
    const text = "find /dev 2>/dev/null | while read -r f; do { [ -b $f ] || [ -c $f ]; } && echo $f; done; true";
    const nodes = await shell(sandbox, text);
    const evidence: string[] = [];
    for (const node of nodes.split("\n").filter((path) => path !== "" && !harmless.test(path)))
      evidence.push(`${node} is there`);
    const made = `/tmp/routesetter-node-${host.mark()}`;
    const numbers = ["c 1 1", "c 1 2", "c 10 200", "c 10 229", "c 10 232", "b 7 0", "b 8 0", "b 254 0", "b 259 0"];
    const opened = await shell(
      sandbox,
      `for n in ${numbers.map(shellQuote).join(" ")}; do rm -f ${made}; mknod ${made} $n 2>/dev/null && { head -c 1 ${made} >/dev/null 2>&1 || (: < ${made}) 2>/dev/null; } && echo "$n"; done; rm -f ${made}`,
    );
    for (const numbered of opened.split("\n").filter(Boolean)) evidence.push(`a node for ${numbered} could be opened`);
    return unless(evidence, `no node but the harmless ones; ${numbers.length} kinds can't be made or opened`);
  },
};

const clock: Attack = {
  id: "clock",
  title: "set the machine's clock",
  proves: "time outside is nobody's inside",
  async run({ create }) {
    // Without a time to set, the kernel only says whether it would be allowed.
    const answer = await tryCall(await create(), "settimeofday", "0, 0");
    return answer === null ? held("settimeofday is refused") : unless([answer], "");
  },
};

const noConsole: Attack = {
  id: "terminal",
  title: "type into the terminal that it was started from",
  proves: "a command has a session of its own and no terminal",
  async run({ create }) {
    const text = 'print open(my $t, "+<", "/dev/tty") ? "opened" : "none";';
    const answer = await perl(await create(), text);
    return unless(answer === "none" ? [] : ["/dev/tty of the caller can be opened"], "there is no terminal");
  },
};

export const privileges: readonly Attack[] = [
  capabilities,
  setUserId,
  userNamespace,
  mounts,
  devices,
  clock,
  noConsole,
];
