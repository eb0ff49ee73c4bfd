// What a machine lacks, what follows from that, and what to do about it.
import type { Machine } from "./machine.ts";

export type Part = "box" | "network" | "docker" | "buildah";
export type Lack = {
  readonly id: string;
  /** What it keeps from working or makes weaker. */
  readonly part: Part | "machine";
  /** Whether the part doesn't work at all without it. */
  readonly stops: boolean;
  readonly what: string;
  readonly remedy: string;
};

const gigabyte = 1024 ** 3;

/** `problems`: why each builder of images can't be used, null when it can. */
export function findLacks(machine: Machine, problems: Readonly<Record<string, string | null>>): Lack[] {
  return [...machineLacks(machine), ...boxLacks(machine), ...engineLacks(machine, problems)];
}

function machineLacks({ node, cache, freeMemoryBytes }: Machine): Lack[] {
  const part = "machine" as const;
  const lacks: Lack[] = [];
  if (Number.parseInt(node, 10) < 20)
    lacks.push({ id: "node", part, stops: true, what: `Node ${node} is too old`, remedy: "install Node 20 or newer" });
  if (cache.freeBytes < 2 * gigabyte)
    lacks.push({
      id: "disk",
      part,
      stops: cache.freeBytes < 0.1 * gigabyte,
      what: `${(cache.freeBytes / gigabyte).toFixed(1)} GB are free for images at ${cache.path}`,
      remedy: "free some, or set ROUTESETTER_CACHE to a folder on another disk",
    });
  if (freeMemoryBytes < 0.5 * gigabyte)
    lacks.push({
      id: "memory",
      part,
      stops: false,
      what: `${(freeMemoryBytes / gigabyte).toFixed(1)} GB of memory are free`,
      remedy: "run fewer sandboxes at a time: --concurrency 1",
    });
  return lacks;
}

const packages: Readonly<Record<string, string>> = {
  bwrap: "bubblewrap",
  unshare: "util-linux",
  nsenter: "util-linux",
  setpriv: "util-linux",
  mount: "mount",
  mkfifo: "coreutils",
  tar: "tar",
};

function boxLacks(machine: Machine): Lack[] {
  const part = "box" as const;
  if (machine.platform !== "linux") {
    return [
      {
        id: "platform",
        part,
        stops: true,
        what: `the box needs Linux; this is ${machine.platform}`,
        remedy: "start Docker (Docker Desktop, colima, …) and use --backend docker",
      },
    ];
  }
  const lacks: Lack[] = [];
  const lack = (id: string, stops: boolean, what: string, remedy: string, of: Lack["part"] = part): void =>
    void lacks.push({ id, part: of, stops, what, remedy });
  for (const [program, name] of Object.entries(packages))
    if (!machine.programs[program])
      lack(
        "program",
        true,
        `${program} is not installed`,
        `routesetter doctor --fix box, or install the package ${name}`,
      );
  lacks.push(...namespaceLacks(machine));
  if (machine.cache.isOverlay)
    lack(
      "overlay",
      true,
      `${machine.cache.path} is itself on an overlay, which can't carry another`,
      "set ROUTESETTER_CACHE to a folder on a disk or a volume (in a container: a mounted one, or a tmpfs)",
    );
  if (!machine.programs.perl)
    lack("perl", false, "there is no perl: sandboxes start in twice the time", "install the package perl");
  if (!machine.isRoot)
    lack(
      "ordinary-user",
      false,
      "an ordinary user has one uid to give (everything inside is root, USER is ignored), and memory is watched every 100 ms instead of being bounded by the kernel",
      "nothing, for tasks that don't switch users; else run as root, in a virtual machine of its own",
    );
  else if (machine.controlGroups === "none")
    lack(
      "control-groups",
      false,
      "there are no control groups: the number of processes is not bounded, memory is watched every 100 ms",
      "mount -t cgroup2 none /sys/fs/cgroup; in a container: --privileged --cgroupns=private",
    );
  if (!machine.programs.slirp4netns && !machine.programs.pasta)
    lack(
      "network-program",
      true,
      "neither slirp4netns nor pasta is installed: tasks that want the network can't run in the box",
      "routesetter doctor --fix network, or install the package slirp4netns",
      "network",
    );
  else if (machine.tunnelProblem !== null)
    lack(
      "tunnel",
      true,
      `the network of tasks goes through /dev/net/tun, which can't be used: ${machine.tunnelProblem}`,
      "modprobe tun; chmod 666 /dev/net/tun; in a container: --device /dev/net/tun",
      "network",
    );
  return lacks;
}

function namespaceLacks({ userNamespaces: found, isRoot, runsIn }: Machine): Lack[] {
  const lack = (what: string, remedy: string): Lack[] => [
    { id: "user-namespaces", part: "box", stops: true, what, remedy },
  ];
  if (found.maximum === 0)
    return lack(
      "user namespaces are shut off (user.max_user_namespaces is 0)",
      "sysctl -w user.max_user_namespaces=65536",
    );
  if (!isRoot && found.forUsers === 0)
    return lack(
      "user namespaces are for root only (kernel.unprivileged_userns_clone is 0)",
      "sysctl -w kernel.unprivileged_userns_clone=1, or run as root",
    );
  if (found.problem === null) return [];
  if (!isRoot && found.appArmor === 1)
    return lack(
      `AppArmor lets only listed programs make user namespaces: ${found.problem}`,
      "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or run as root, or use --backend docker",
    );
  if (runsIn.startsWith("a container"))
    return lack(
      `${runsIn} doesn't let namespaces be made: ${found.problem}`,
      "start the container with --privileged, or give it the engine's socket (-v /var/run/docker.sock:/var/run/docker.sock) and use --backend docker",
    );
  return lack(
    `namespaces can't be made: ${found.problem}`,
    "look at sysctl -a | grep -e userns -e user_namespaces, and at the security module's log",
  );
}

function engineLacks(machine: Machine, problems: Readonly<Record<string, string | null>>): Lack[] {
  const lacks: Lack[] = [];
  const docker = problems.docker ?? null;
  if (docker !== null)
    lacks.push({
      id: "docker",
      part: "docker",
      stops: true,
      what: docker,
      remedy: dockerRemedy(docker, machine),
    });
  const buildah = problems.buildah ?? null;
  if (buildah !== null && docker !== null)
    lacks.push({
      id: "buildah",
      part: "buildah",
      stops: true,
      what: `${buildah}; without an engine or buildah only images are made that the machine's own system suffices for`,
      remedy: machine.isRoot ? "routesetter doctor --fix buildah" : "run as root, or use an engine",
    });
  return lacks;
}

function dockerRemedy(problem: string, machine: Machine): string {
  if (/EACCES/.test(problem))
    return "add this user to the group of the socket (usermod -aG docker USER), or run as root";
  if (machine.platform !== "linux") return "start Docker Desktop or colima";
  if (machine.programs.dockerd)
    return "start it: systemctl start docker, or dockerd; routesetter doctor --fix docker does";
  return "only if you want it: routesetter doctor --fix docker; the box needs no engine";
}
