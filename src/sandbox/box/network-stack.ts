// Full network: a user-mode stack of the host, outside the sandbox, that reaches everything but the host's loopback.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { networkUnavailable } from "../network/unavailable.ts";
import { findTool, launchEnvironment } from "./tools.ts";

/** The address at which the stack answers names, by the tool that runs it. */
const nameServers = { slirp4netns: "10.0.2.3", pasta: "169.254.53.53" } as const;
type Tool = keyof typeof nameServers;

const stackTool = (): Tool | null => {
  if (findTool("slirp4netns") !== null) return "slirp4netns";
  return findTool("pasta") === null ? null : "pasta";
};

export const hasNetworkStack = (): boolean => stackTool() !== null;

/** The text of /etc/resolv.conf for a sandbox with full network. */
export const resolverFile = (): string => `nameserver ${nameServers[stackTool() ?? "slirp4netns"]}\n`;

const argumentsOf: Record<Tool, (pid: number, rootless: boolean) => string[]> = {
  slirp4netns: (pid, rootless) => [
    "--configure",
    "--mtu=65520",
    "--disable-host-loopback",
    "--ready-fd=3",
    "--exit-fd=4",
    ...(rootless ? [`--userns-path=/proc/${pid}/ns/user`] : []),
    "--netns-type=path",
    `/proc/${pid}/ns/net`,
    "net0",
  ],
  pasta: (pid, rootless) => [
    "--config-net",
    "--no-map-gw",
    "--foreground",
    "--quiet",
    "--dns-forward",
    nameServers.pasta,
    ...["-t", "none", "-u", "none", "-T", "none", "-U", "none"],
    ...(rootless ? ["--userns", `/proc/${pid}/ns/user`] : ["--runas", "0"]),
    "--netns",
    `/proc/${pid}/ns/net`,
  ],
};

/** Gives the network namespace of process `pid` its stack. Errors: SandboxError `network_unavailable`. */
export async function startNetworkStack(pid: number, rootless: boolean): Promise<{ close(): Promise<void> }> {
  const tool = stackTool();
  if (tool === null) {
    throw networkUnavailable(
      "there is no user-mode network stack on this machine",
      "install one: apt-get install slirp4netns",
    );
  }
  const child = spawn(findTool(tool)!, argumentsOf[tool](pid, rootless), {
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
    env: launchEnvironment,
    cwd: "/",
    detached: true,
  });
  let diagnostics = "";
  child.stderr!.on("data", (chunk) => {
    diagnostics += chunk;
  });
  child.on("error", () => undefined);
  const exited = ended(child);
  const ready =
    tool === "slirp4netns"
      ? once(child.stdio[3] as Readable, "data").then(() => true)
      : new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 300));
  if (!(await Promise.race([ready, exited.then(() => false)]))) {
    throw networkUnavailable(
      `${tool} could not start: ${diagnostics.trim()}`,
      "see what it says, or use network mode none",
    );
  }
  return {
    async close() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) await once(child, "exit");
}
