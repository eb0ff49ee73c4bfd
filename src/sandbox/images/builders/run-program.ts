// Runs a program of this machine and can really end it: its whole process group goes.
import { spawn } from "node:child_process";

/** Runs a program of this machine with nothing of our environment, for builders that aren't an API. */
export function runProgram(
  command: string,
  argv: readonly string[],
  options: { signal?: AbortSignal; log?: (text: string) => void; cwd?: string } = {},
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, argv, {
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env.PATH, HOME: process.env.HOME, LANG: "C.UTF-8" },
      ...(options.cwd && { cwd: options.cwd }),
    });
    let output = "";
    const take = (chunk: Buffer) => {
      output = (output + chunk.toString("utf8")).slice(-200_000);
      options.log?.(chunk.toString("utf8"));
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    const stop = () => {
      try {
        if (child.pid) process.kill(-child.pid, "SIGKILL");
      } catch {}
    };
    options.signal?.addEventListener("abort", stop, { once: true });
    if (options.signal?.aborted) stop();
    child.on("error", reject);
    child.on("close", (code) => {
      options.signal?.removeEventListener("abort", stop);
      if (options.signal?.aborted) reject(options.signal.reason);
      else resolve({ code, output });
    });
  });
}
