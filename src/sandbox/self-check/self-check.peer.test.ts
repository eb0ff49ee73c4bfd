import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type Docker from "dockerode";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import type { Image, SandboxBackend } from "../../contract/index.ts";
import { removeTree } from "../box/index.ts";
import { openContainers } from "../docker/backend.ts";
import { dockerProblem, openDocker } from "../images/builders/connect.ts";
import { attackImage, attackSandbox, attacks } from "./index.ts";

const required = process.env.ROUTESETTER_REQUIRE_DOCKER === "1";
const asRoot = process.getuid?.() === 0;
const problem = await dockerProblem(await openDocker());
const folder = mkdtempSync(join(tmpdir(), "self-check-docker-"));
chmodSync(folder, 0o755);
afterAll(() => removeTree(folder));

type Settings = Docker.ContainerCreateOptions;
const open = (alter: (settings: Settings) => Settings = (settings) => settings): Promise<SandboxBackend> =>
  openContainers({ stateDirectory: join(folder, "state") }, alter);
const host =
  (changes: Docker.HostConfig) =>
  (settings: Settings): Settings => ({ ...settings, HostConfig: { ...settings.HostConfig, ...changes } });
const mounted = (path: string) => host({ Mounts: [{ Type: "bind", Source: path, Target: path, ReadOnly: true }] });

/** Each weak container must leave quiet what it holds. */
// A container among the host's processes may read the host's files through one of them, if any has no more rights.
const mayFollow: Readonly<Record<string, string>> = { "has the host's processes": "host-file-read" };
const sentinels = ["host-file-read", "environment", "network", "capabilities", "keyring"];
const weakContainers: readonly (readonly [string, (settings: Settings) => Settings, string[]])[] = [
  [
    "may mount and has a device",
    host({
      CapAdd: ["SYS_ADMIN", "MKNOD", "NET_RAW", "SETUID", "SETGID", "DAC_OVERRIDE", "KILL"],
      SecurityOpt: ["no-new-privileges", "seccomp=unconfined", "apparmor=unconfined"],
      Devices: [{ PathOnHost: "/dev/kmsg", PathInContainer: "/dev/kmsg", CgroupPermissions: "rwm" }],
    }),
    ["capabilities", "devices", "keyring", "mount"],
  ],
  ["has the host's processes", host({ PidMode: "host" }), ["broad-kill", "host-process", "namespaces"]],
  ["has the host's network", host({ NetworkMode: "host" }), ["host-sockets", "namespaces", "network"]],
  ["has the host's shared memory", host({ IpcMode: "host" }), ["namespaces", "neighbour"]],
  ["sees the host's /etc", mounted("/etc"), ["host-file-read"]],
  ["reaches the engine", mounted("/var/run/docker.sock"), ["host-file-read", "host-sockets"]],
  [
    "gains privileges",
    (settings) =>
      host({ SecurityOpt: settings.HostConfig?.SecurityOpt?.filter((text: string) => /seccomp/.test(text)) ?? [] })(
        settings,
      ),
    ["set-uid"],
  ],
  [
    "calls the kernel unfiltered",
    host({ SecurityOpt: ["no-new-privileges", "seccomp=unconfined"] }),
    ["hypervisor-socket", "io-uring", "keyring", "perf", "user-namespace"],
  ],
  ["has no limit of processes", host({ PidsLimit: 0 }), ["fork-bomb"]],
  ["has no limit of memory", host({ Memory: 0, MemorySwap: 0 }), ["memory-bomb"]],
];

test.runIf(required)("the engine is there", () => expect(problem).toBeNull());

describe.skipIf((problem !== null && !required) || !asRoot)("containers", () => {
  let image: Image;
  beforeAll(async () => {
    image = await attackImage("few programs", join(folder, "image"));
  });

  const holesOf = async (backend: SandboxBackend, ids: readonly string[]): Promise<string[]> => {
    try {
      const findings = await attackSandbox({ backend, image, attacks: attacks.filter(({ id }) => ids.includes(id)) });
      expect(findings).toHaveLength(ids.length);
      expect(findings.filter(({ verdict }) => verdict === "unknown")).toEqual([]);
      return findings.filter(({ verdict }) => verdict === "hole").map(({ id }) => id);
    } finally {
      await backend.close();
    }
  };

  it.each(weakContainers)("one that %s is found out, and for what is weak", async (name, alter, holes) => {
    const found = await holesOf(await open(alter), [...new Set([...holes, ...sentinels])]);
    expect(found.filter((id) => id !== mayFollow[name]).sort()).toEqual(holes);
  });

  it("one as it is holds every attack", async () => {
    expect(
      await holesOf(
        await open(),
        attacks.map(({ id }) => id),
      ),
    ).toEqual([]);
  });
});
