// The network: none where none was asked for, and never the host's loopback.
import type { SandboxHandle } from "../../../contract/index.ts";
import { SandboxError } from "../../../contract/index.ts";
import { type Attack, held, unless } from "../attack.ts";
import { perl, shell } from "../inside.ts";

/** Which of these addresses answer with the secret. */
async function answering(sandbox: SandboxHandle, addresses: readonly string[], port: number, secret: string) {
  const text = `$SIG{ALRM} = sub { die }; for my $to (@ARGV) { eval { alarm 2; socket(my $s, 2, 1, 0) or die;
    connect($s, pack("SnC4x8", 2, ${port}, split(/\\./, $to))) or die; my $line = <$s>; print "$to\\n" if index($line, "${secret}") >= 0; }; alarm 0; }`;
  const program = text.replace("@ARGV", `(${addresses.map((address) => `"${address}"`).join(", ")})`);
  return (await perl(sandbox, program, { timeoutMilliseconds: 30_000 })).split("\n").filter(Boolean);
}

const noNetwork: Attack = {
  id: "network",
  title: "reach anything without a network",
  proves: "a sandbox without network has a loopback device and nothing behind it",
  async run({ create, host }) {
    const sandbox = await create();
    const devices = await shell(sandbox, "sed -n 's/^ *\\([^:]*\\):.*/\\1/p' /proc/net/dev");
    const evidence = devices
      .split("\n")
      .filter((name) => name !== "" && !/^(lo|tunl0|sit0|ip6tnl0|ip6_vti0|ip_vti0|gre0|gretap0|erspan0)$/.test(name))
      .map((name) => `there is a device ${name}`);
    const targets = ["127.0.0.1", ...host.addresses];
    for (const address of await answering(sandbox, targets, host.port, host.secret))
      evidence.push(`the host answers at ${address}`);
    return unless(evidence, `no device but the loopback; ${targets.length} addresses of the host don't answer`);
  },
};

const hostSockets: Attack = {
  id: "host-sockets",
  title: "reach a UNIX socket of the host",
  proves: "sockets of the host are out of reach by their names, those without a file too",
  async run({ create, host }) {
    const sandbox = await create();
    const name = host.abstractSocket;
    if (name === null) return held("this machine has no sockets without a file");
    // Some programs fill the name up with zeros, to the length that the kernel allows.
    const text = `for my $to (pack("S", 1) . "\\0${name}", pack("Sa108", 1, "\\0${name}")) { socket(my $s, 1, 1, 0) or next; connect($s, $to) or next; print scalar <$s>; }`;
    const evidence = (await perl(sandbox, text)).includes(host.secret) ? [`@${name} of the host answers`] : [];
    const docker = await shell(
      sandbox,
      "for f in /var/run/docker.sock /run/docker.sock /run/containerd/containerd.sock /run/podman/podman.sock; do [ -S $f ] && echo $f; done; true",
    );
    if (docker !== "") evidence.push(`${docker.split("\n").join(", ")} is there: whoever reaches it owns the host`);
    return unless(evidence, "neither a socket without a file nor an engine's");
  },
};

const otherFamilies: Attack = {
  id: "hypervisor-socket",
  title: "open a socket that no network namespace bounds",
  proves: "the hypervisor (vsock) and the kernel's own families are out of reach",
  async run({ create }) {
    const families: Readonly<Record<string, string>> = { vsock: "40, 1, 0", alg: "38, 5, 0", bluetooth: "31, 3, 1" };
    const text = Object.entries(families)
      .map(([name, words]) => `print "${name}\\n" if socket(my $${name}, ${words});`)
      .join(" ");
    const opened = (await perl(await create(), text)).split("\n").filter(Boolean);
    return unless(
      opened.map((name) => `a socket of the family ${name} could be made`),
      Object.keys(families).join(", "),
    );
  },
};

const fullNetwork: Attack = {
  id: "host-loopback",
  title: "reach the host's loopback with a network",
  proves: "a sandbox with the full network doesn't reach what the host serves to itself",
  async run({ create, host }) {
    let sandbox: SandboxHandle;
    try {
      sandbox = await create({ network: { mode: "full" } });
      await sandbox.session.run("true");
    } catch (error) {
      if (SandboxError.isInstance(error) && error.code === "network_unavailable")
        return held(`no sandbox has a network here: ${error.message}`);
      throw error;
    }
    const gateway = await shell(
      sandbox,
      "awk '$2 == \"00000000\" { print $3; exit }' /proc/net/route 2>/dev/null || sed -n 's/^[^\\t]*\\t00000000\\t\\([0-9A-F]*\\).*/\\1/p' /proc/net/route",
    );
    const addresses = ["127.0.0.1", "10.0.2.2", "10.0.2.3", "169.254.1.1"];
    if (/^[0-9A-F]{8}$/.test(gateway)) addresses.push(littleEndian(gateway));
    const found = await answering(sandbox, [...new Set(addresses)], host.loopbackPort, host.secret);
    return unless(
      found.map((address) => `what the host serves to itself answers at ${address}`),
      `tried at ${addresses.length} addresses`,
    );
  },
};

const littleEndian = (hex: string): string =>
  hex
    .match(/../g)!
    .reverse()
    .map((byte) => Number.parseInt(byte, 16))
    .join(".");

export const networkAttacks: readonly Attack[] = [noNetwork, hostSockets, otherFamilies, fullNetwork];
