// What `--fix` may do: install packages with the machine's own package manager, and start the engine. It says each command
// before it runs it, and changes nothing else: no kernel setting, no file of the machine's configuration.
import { spawnSync } from "node:child_process";
import type { Part } from "./lacks.ts";
import type { Machine } from "./machine.ts";

export type Step = { readonly program: string; readonly words: readonly string[]; readonly why: string };

const packagesOf: Readonly<Record<Part, Readonly<Record<string, readonly string[]>>>> = {
  box: {
    "apt-get": ["bubblewrap", "util-linux", "mount", "perl-base"],
    dnf: ["bubblewrap", "util-linux", "perl-interpreter"],
    zypper: ["bubblewrap", "util-linux", "perl-base"],
    pacman: ["bubblewrap", "util-linux", "perl"],
    apk: ["bubblewrap", "util-linux", "perl"],
  },
  network: Object.fromEntries(
    ["apt-get", "dnf", "zypper", "pacman", "apk"].map((manager) => [manager, ["slirp4netns"]]),
  ),
  docker: { "apt-get": ["docker.io"], dnf: ["moby-engine"], zypper: ["docker"], pacman: ["docker"], apk: ["docker"] },
  buildah: Object.fromEntries(["apt-get", "dnf", "zypper", "pacman", "apk"].map((manager) => [manager, ["buildah"]])),
};

const install: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "apt-get": [
    ["apt-get", "update", "-qq"],
    ["apt-get", "install", "-y", "-qq", "--no-install-recommends"],
  ],
  dnf: [["dnf", "install", "-y", "-q"]],
  zypper: [["zypper", "--non-interactive", "install"]],
  pacman: [["pacman", "-S", "--noconfirm", "--needed"]],
  apk: [["apk", "add"]],
};

const isThere: Readonly<Record<Part, (machine: Machine) => boolean>> = {
  box: ({ programs }) => ["bwrap", "unshare", "nsenter", "mount", "setpriv", "perl"].every((name) => programs[name]),
  network: ({ programs }) => Boolean(programs.slirp4netns || programs.pasta),
  docker: ({ programs }) => Boolean(programs.dockerd),
  buildah: ({ programs }) => Boolean(programs.buildah),
};

/** What would be run, in order; an explanation when nothing may be. `engineRuns`: the engine answers. */
export function planFix(part: Part, machine: Machine, engineRuns: boolean): Step[] | string {
  if (machine.platform !== "linux") return `nothing can be installed for ${part} on ${machine.platform}`;
  const steps: Step[] = [];
  if (part === "docker" && engineRuns) return "the engine answers already; nothing to do";
  if (!isThere[part](machine)) {
    const manager = machine.packageManager;
    if (manager === null) return "no package manager that is known here; install the packages by hand";
    const names = packagesOf[part][manager] ?? [];
    const commands = install[manager] ?? [];
    if (machine.becomesRoot === null)
      return `root is needed: sudo sh -c '${commands.map((words) => words.join(" ")).join(" && ")} ${names.join(" ")}'`;
    commands.forEach((words, index) => {
      const last = index === commands.length - 1;
      const [program = "", ...rest] = machine.becomesRoot === "sudo" ? ["sudo", "-n", ...words] : words;
      const why = last ? `install ${names.join(", ")}` : "read the list of packages";
      steps.push({ program, words: last ? [...rest, ...names] : rest, why });
    });
  }
  if (part === "docker") {
    const [program = "", ...rest] = machine.becomesRoot === "sudo" ? ["sudo", "-n", "service"] : ["service"];
    steps.push({ program, words: [...rest, "docker", "start"], why: "start the engine" });
  }
  return steps.length > 0 ? steps : `${part} is installed already; nothing to do`;
}

/** Runs the steps, each said first. The first that fails ends it, with what it wrote. */
export function carryOutFix(steps: readonly Step[], say: (text: string) => void): string | null {
  for (const { program, words, why } of steps) {
    say(`${why}: ${[program, ...words].join(" ")}`);
    const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const done = spawnSync(program, words, { stdio: ["ignore", "pipe", "pipe"], encoding: "utf8", env: environment });
    if (done.status !== 0)
      return `"${[program, ...words].join(" ")}" failed: ${(done.error?.message ?? (done.stderr || done.stdout)).trim().slice(-400)}`;
  }
  return null;
}
