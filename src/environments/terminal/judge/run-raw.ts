import type { Readable, Writable } from "node:stream";
import type { RunOptions, Sandbox } from "../../../contract/index.ts";

export type RawResult = {
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
};

/** Runs a command and keeps its output byte for byte, up to `outputBytes` of each stream. Errors: SandboxError. */
export async function runRaw(
  session: Sandbox,
  argv: readonly string[],
  options: RunOptions & { input: Buffer; timeoutMilliseconds: number; outputBytes: number },
): Promise<RawResult> {
  const { input, timeoutMilliseconds, outputBytes, signal, ...rest } = options;
  const child = await session.spawn(argv, rest);
  let timedOut = false;
  let ended = false;
  const stop = () => {
    if (!ended) void child.kill().catch(() => {});
  };
  const timer = setTimeout(() => {
    timedOut = true;
    stop();
  }, timeoutMilliseconds);
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const stdin = child.stdin as Writable;
    stdin.on("error", () => {});
    stdin.end(input);
    const stdout = keep(child.stdout as Readable, outputBytes);
    const stderr = keep(child.stderr as Readable, outputBytes);
    const { exitCode } = await child.exit;
    ended = true;
    const grace = new Promise((resolve) => setTimeout(resolve, 500).unref());
    await Promise.race([Promise.all([stdout.closed, stderr.closed]), grace]);
    return { exitCode, timedOut, stdout: stdout.bytes(), stderr: stderr.bytes() };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

function keep(stream: Readable, limit: number): { closed: Promise<void>; bytes: () => Buffer } {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on("data", (chunk: Buffer) => {
    if (size < limit) chunks.push(chunk.subarray(0, limit - size));
    size += chunk.length;
  });
  const closed = new Promise<void>((resolve) => {
    stream.once("end", resolve);
    stream.once("close", resolve);
    stream.once("error", () => resolve());
  });
  return { closed, bytes: () => Buffer.concat(chunks) };
}
