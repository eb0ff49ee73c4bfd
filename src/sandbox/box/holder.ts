// The process that keeps the user namespace in which all sandboxes of one backend have their 65,536 uids. It needs root;
// an ordinary user has no holder, and each sandbox makes a namespace with one uid for itself.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { promisify } from "node:util";
import { SandboxError } from "../../contract/index.ts";
import { mappedOwners, ownerShift } from "./owner-shift.ts";
import { launchEnvironment, requireTool } from "./tools.ts";

export type Holder = { readonly pid: number; alive(): boolean; close(): Promise<void> };

/** Starts the holder; it ends when it is closed or when this process dies. Nested user namespaces are closed in it. */
export async function startHolder(): Promise<Holder> {
  const child = spawn(requireTool("unshare"), ["--user", "sh", "-c", "echo ready; exec cat >/dev/null"], {
    stdio: ["pipe", "pipe", "pipe"],
    env: launchEnvironment,
    cwd: "/",
    detached: true,
  });
  let diagnostics = "";
  child.stderr.on("data", (chunk) => {
    diagnostics += chunk;
  });
  child.stdin.on("error", () => undefined);
  const ready = await Promise.race([once(child.stdout, "data").then(() => true), exitOf(child).then(() => false)]);
  const pid = child.pid;
  if (!ready || pid === undefined) throw failed(diagnostics);
  try {
    const map = `0 ${ownerShift()} ${mappedOwners}\n`;
    writeFileSync(`/proc/${pid}/uid_map`, map);
    writeFileSync(`/proc/${pid}/gid_map`, map);
    const close = "echo 0 > /proc/sys/user/max_user_namespaces";
    await promisify(execFile)(
      requireTool("nsenter"),
      [`--user=/proc/${pid}/ns/user`, "-S", "0", "-G", "0", "sh", "-c", close],
      { env: launchEnvironment },
    );
  } catch (cause) {
    child.kill("SIGKILL");
    throw failed(`${diagnostics}${cause instanceof Error ? cause.message : ""}`, cause);
  }
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as unknown as { unref(): void }).unref();
  return {
    pid,
    alive: () => child.exitCode === null && child.signalCode === null,
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.ref();
      const exit = exitOf(child);
      child.kill("SIGKILL");
      await exit;
    },
  };
}

async function exitOf(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

const failed = (diagnostics: string, cause?: unknown): SandboxError =>
  new SandboxError({
    code: "sandbox_unavailable",
    message: `the user namespace of the sandboxes could not be made: ${diagnostics.trim() || "no reason given"}`,
    remedy: "allow user namespaces (sysctl user.max_user_namespaces) or use the Docker backend",
    cause,
  });
