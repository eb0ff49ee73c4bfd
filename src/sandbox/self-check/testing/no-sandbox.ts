// A backend that holds nothing: commands run on the machine itself. Every attack that is worth its name notices.
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import type { RunOptions, RunResult, SandboxBackend, SandboxHandle } from "../../../contract/index.ts";

/** As much is kept of what a command prints, and then it is ended: this process must live. */
const mostBytes = 8 * 1024 ** 2;

export function noSandbox(): SandboxBackend {
  let count = 0;
  return {
    name: "nothing",
    create: async () => openHandle(`nothing-${++count}`),
    reap: async () => [],
    probe: async () => ({ problems: [], enforcement: [] }),
    close: async () => undefined,
  };
}

function openHandle(id: string): SandboxHandle {
  const children = new Set<ChildProcess>();
  const handle = {
    id,
    backend: "nothing",
    session: {
      run: (command: string | readonly string[], options: RunOptions = {}) => run(children, command, options),
      readFile: (path: string) => readFile(path),
      writeFile: (path: string, content: string | Uint8Array) => writeFile(path, content),
    },
    killAll: async () => undefined,
    processes: async () => children.size,
    copyOut: async (path: string, destination: string) => {
      cpSync(path, destination, { recursive: true, dereference: true });
      return true;
    },
    setNetwork: async () => undefined,
    async dispose() {
      for (const { pid } of children) {
        try {
          process.kill(-(pid ?? 0), "SIGKILL");
        } catch {}
      }
    },
  };
  return handle as unknown as SandboxHandle;
}

function run(
  children: Set<ChildProcess>,
  command: string | readonly string[],
  { user }: RunOptions,
): Promise<RunResult> {
  const words = typeof command === "string" ? ["sh", "-c", command] : [...command];
  const uid = user === undefined || user === "root" ? undefined : Number(user.split(":")[0]);
  const [program, ...rest] =
    uid === undefined ? words : ["setpriv", `--reuid=${uid}`, `--regid=${uid}`, "--clear-groups", ...words];
  const child = spawn(program!, rest, { cwd: "/tmp", detached: true, stdio: ["ignore", "pipe", "ignore"] });
  children.add(child);
  let text = "";
  child.stdout.on("data", (chunk) => {
    text += chunk;
    if (text.length > mostBytes) child.kill("SIGKILL");
  });
  return new Promise((resolve) => {
    const none = { text: "", bytes: 0, truncated: false };
    child.on("exit", (exitCode, signal) => {
      setImmediate(() =>
        resolve({
          exitCode,
          signal,
          stdout: { text, bytes: text.length, truncated: false },
          stderr: none,
          limit: null,
          milliseconds: 0,
        }),
      );
    });
  });
}
