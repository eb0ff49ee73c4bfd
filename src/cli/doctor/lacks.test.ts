import { describe, expect, it } from "vitest";
import { findLacks } from "./lacks.ts";
import type { Machine } from "./machine.ts";

const able = [
  "bwrap",
  "unshare",
  "nsenter",
  "mount",
  "setpriv",
  "mkfifo",
  "tar",
  "perl",
  "ip",
  "slirp4netns",
  "buildah",
];
const complete: Machine = {
  platform: "linux",
  node: "22.1.0",
  processors: 4,
  memoryBytes: 8 * 1024 ** 3,
  freeMemoryBytes: 6 * 1024 ** 3,
  kernel: "6.1.0",
  distribution: "Debian GNU/Linux 12",
  runsIn: "hardware",
  user: "root",
  isRoot: true,
  becomesRoot: "root",
  packageManager: "apt-get",
  controlGroups: "version 2",
  programs: Object.fromEntries(able.map((name) => [name, true])),
  userNamespaces: { maximum: 60_000, forUsers: 1, appArmor: null, problem: null },
  tunnelProblem: null,
  cache: { path: "/var/cache/r", isOverlay: false, freeBytes: 50 * 1024 ** 3 },
};
const working = { host: null, docker: null, buildah: null };
const ordinary: Partial<Machine> = { isRoot: false, becomesRoot: null, user: "ada" };
const without = (name: string): Partial<Machine> => ({ programs: { ...complete.programs, [name]: false } });
const namespaces = (changes: Partial<Machine["userNamespaces"]>): Partial<Machine> => ({
  userNamespaces: { ...complete.userNamespaces, ...changes },
});

describe("what a machine lacks", () => {
  it("is nothing where everything is there", () => {
    expect(findLacks(complete, working)).toEqual([]);
  });

  const refused = "unshare: Operation not permitted";
  it.each<[string, Partial<Machine>, string, RegExp, boolean]>([
    ["no bubblewrap", without("bwrap"), "program", /doctor --fix box/, true],
    ["no util-linux", without("nsenter"), "program", /util-linux/, true],
    [
      "user namespaces shut off",
      namespaces({ maximum: 0, problem: refused }),
      "user-namespaces",
      /max_user_namesp/,
      true,
    ],
    [
      "Debian's switch",
      { ...ordinary, ...namespaces({ forUsers: 0, problem: refused }) },
      "user-namespaces",
      /unprivileged_userns_clone=1/,
      true,
    ],
    [
      "AppArmor",
      { ...ordinary, ...namespaces({ appArmor: 1, problem: refused }) },
      "user-namespaces",
      /apparmor_restrict/,
      true,
    ],
    [
      "a container",
      { runsIn: "a container (docker)", ...namespaces({ problem: refused }) },
      "user-namespaces",
      /--privileged/,
      true,
    ],
    ["something else", namespaces({ problem: refused }), "user-namespaces", /sysctl -a/, true],
    ["a cache on an overlay", { cache: { ...complete.cache, isOverlay: true } }, "overlay", /ROUTESETTER_CACHE/, true],
    ["no perl", without("perl"), "perl", /perl/, false],
    ["an ordinary user", ordinary, "ordinary-user", /root/, false],
    ["no control groups", { controlGroups: "none" }, "control-groups", /cgroup2/, false],
    ["no program for networks", without("slirp4netns"), "network-program", /doctor --fix network/, true],
    ["no device for networks", { tunnelProblem: "EACCES" }, "tunnel", /dev\/net\/tun/, true],
    ["another system", { platform: "darwin" }, "platform", /--backend docker/, true],
    ["an old Node", { node: "18.20.0" }, "node", /Node 20/, true],
    ["a full disk", { cache: { ...complete.cache, freeBytes: 1024 ** 3 } }, "disk", /ROUTESETTER_CACHE/, false],
    ["little memory", { freeMemoryBytes: 1024 ** 2 }, "memory", /--concurrency/, false],
  ])("%s", (_, changes, id, remedy, stops) => {
    const lacks = findLacks({ ...complete, ...changes }, working);
    expect(lacks.find((lack) => lack.id === id)).toMatchObject({ stops, remedy: expect.stringMatching(remedy) });
    expect(lacks.filter((lack) => lack.id !== id && lack.id !== "ordinary-user")).toEqual([]);
  });

  it("engines: what to do depends on why they don't answer", () => {
    const remedyOf = (problem: string, changes: Partial<Machine> = {}) =>
      findLacks({ ...complete, ...changes }, { ...working, docker: problem }).find(({ id }) => id === "docker")?.remedy;
    expect(remedyOf("connect EACCES /var/run/docker.sock", ordinary)).toMatch(/usermod -aG docker/);
    expect(remedyOf("connect ENOENT /var/run/docker.sock")).toMatch(/--fix docker/);
    expect(remedyOf("connect ENOENT", { programs: { ...complete.programs, dockerd: true } })).toMatch(
      /systemctl start/,
    );
    expect(remedyOf("connect ENOENT", { platform: "darwin" })).toMatch(/Docker Desktop/);
    const both = findLacks(complete, { host: null, docker: "no answer", buildah: "buildah isn't installed" });
    expect(both.map(({ id }) => id)).toEqual(["docker", "buildah"]);
  });
});
