// How a sandbox's specification becomes a container: everything dropped that a task's work doesn't need.
import type Docker from "dockerode";
import type { NetworkPolicy, SandboxSpec } from "../../contract/index.ts";

export const labels = { owner: "routesetter.owner", process: "routesetter.process", id: "routesetter.id" } as const;

const capabilities = ["CHOWN", "SETUID", "SETGID", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "NET_BIND_SERVICE"];

/** Slots for the engine's own short-lived processes inside the group, so that a full sandbox can still be entered. */
export const spareProcesses = 12;

/**
 * The first process can't be killed from inside, waits for its own child and so reaps everyone else's orphans; when the
 * child is killed (`kill -9 -1`) it starts another. Needs no more than a shell and `tail`, BusyBox's will do.
 */
const firstProcess = [
  "-c",
  "trap '' HUP INT QUIT TERM; keep='tail -f /dev/null'; command -v tail >/dev/null || keep='sleep 2147483647'; while :; do $keep & wait; done",
];

/** The first process and its child. */
export const ownProcesses = 2;

export function containerSettings(
  spec: SandboxSpec,
  tag: string,
  identity: { id: string; owner: string; process: string },
  systemCalls: string | null,
): Docker.ContainerCreateOptions {
  const { limits = {}, image } = spec;
  const ulimits: { Name: string; Soft: number; Hard: number }[] = [];
  if (limits.cpuSeconds !== undefined) {
    const seconds = Math.max(1, Math.ceil(limits.cpuSeconds));
    ulimits.push({ Name: "cpu", Soft: seconds, Hard: seconds + 1 });
  }
  if (limits.diskBytes !== undefined) ulimits.push({ Name: "fsize", Soft: limits.diskBytes, Hard: limits.diskBytes });
  return {
    name: identity.id,
    Image: tag,
    Entrypoint: ["/bin/sh"],
    Cmd: firstProcess,
    User: "0",
    Env: environmentList({ ...image.configuration.environment, ...spec.environment }),
    WorkingDir: spec.workingDirectory ?? image.configuration.workingDirectory,
    Hostname: spec.hostname ?? "sandbox",
    Labels: { [labels.owner]: identity.owner, [labels.process]: identity.process, [labels.id]: identity.id },
    Healthcheck: { Test: ["NONE"] },
    StopTimeout: 0,
    HostConfig: {
      NetworkMode: networkName(spec.network ?? { mode: "none" }),
      Mounts: (spec.mounts ?? []).map((mount) => ({
        Type: "bind",
        Source: mount.source,
        Target: mount.target,
        ReadOnly: mount.readOnly,
      })),
      CapDrop: ["ALL"],
      CapAdd: capabilities,
      SecurityOpt: ["no-new-privileges", ...(systemCalls === null ? [] : [`seccomp=${systemCalls}`])],
      Ulimits: ulimits,
      LogConfig: { Type: "none", Config: {} },
      RestartPolicy: { Name: "no" },
      ...(limits.memoryBytes !== undefined && {
        Memory: Math.max(limits.memoryBytes, 6 * 1024 ** 2),
        MemorySwap: Math.max(limits.memoryBytes, 6 * 1024 ** 2),
        ShmSize: Math.min(64 * 1024 ** 2, limits.memoryBytes),
      }),
      ...(limits.processes !== undefined && { PidsLimit: limits.processes + ownProcesses + spareProcesses }),
    },
  };
}

export const environmentList = (environment: Readonly<Record<string, string>>): string[] =>
  Object.entries(environment).map(([name, value]) => `${name}=${value}`);

/** The engine's network for a policy. With an allow-list it is none: the proxy of `container-network.ts` is the way out. */
export const networkName = (policy: NetworkPolicy): "none" | "bridge" => (policy.mode === "full" ? "bridge" : "none");
