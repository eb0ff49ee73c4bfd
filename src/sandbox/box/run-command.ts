// One command from its start to its result: pumps its streams, watches its clock, and says which limit ended it.
import { closeSync, readSync } from "node:fs";
import { Socket } from "node:net";
import { constants } from "node:os";
import type { Cause, RunResult } from "../../contract/index.ts";
import type { LifeCommand } from "./life.ts";
import { captureOutput, type OutputCapture } from "./output-capture.ts";

export const defaultOutputBytes = 1024 * 1024;

/** More than this on one stream, beyond what is kept, ends the command: nobody reads it. */
const floodBytes = 1024 ** 3;

export type Ending = { readonly exitCode: number | null; readonly ended: Cause | null };

const signalNames = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

/** An exit code above 128 is a signal's, as shells have it. */
export function splitExitCode(code: number | null): { exitCode: number | null; signal: string | null } {
  if (code === null) return { exitCode: null, signal: "SIGKILL" };
  const signal = code > 128 && code < 160 ? (signalNames.get(code - 128) ?? null) : null;
  return signal === null ? { exitCode: code, signal: null } : { exitCode: null, signal };
}

export type Supervision = {
  readonly outputBytes: number;
  readonly timeoutMilliseconds?: number;
  readonly signal?: AbortSignal;
  /** Ends the command and everything that it started. */
  readonly kill: (cause: Cause) => void;
  /** Hands out the way to end the command for a reason found elsewhere. */
  readonly onStop?: (end: (cause: Cause) => void) => void;
};

/** Waits for the command. The reading ends are consumed. */
export async function superviseCommand(
  command: LifeCommand,
  readers: { stdout: number; stderr: number },
  options: Supervision,
): Promise<{ exitCode: number | null; cause: Cause | null; stdout: OutputCapture; stderr: OutputCapture }> {
  let cause: Cause | null = null;
  let stop: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  let over = false;
  const end = (reason: Cause): void => {
    if (over || cause !== null) return;
    cause = reason;
    options.kill(reason);
    stop();
  };
  options.onStop?.(end);
  const pumps = [readers.stdout, readers.stderr].map((reader) =>
    pump(reader, options.outputBytes, () => end(outputLimit(options.outputBytes))),
  );
  const limit = options.timeoutMilliseconds;
  const timer = limit === undefined ? undefined : setTimeout(() => end(timeLimit(limit)), Math.min(limit, 2 ** 31 - 1));
  const onAbort = (): void => end({ code: "cancelled", message: "the caller cancelled the command" });
  if (options.signal?.aborted) onAbort();
  options.signal?.addEventListener("abort", onAbort, { once: true });
  const exitCode = await Promise.race([command.ended, stopped.then(() => null)]);
  if (cause !== null) await Promise.race([command.ended, new Promise((resolve) => setTimeout(resolve, 500))]);
  over = true;
  clearTimeout(timer);
  options.signal?.removeEventListener("abort", onAbort);
  const [stdout, stderr] = pumps.map((finish) => finish()) as [OutputCapture, OutputCapture];
  return { exitCode, cause, stdout, stderr };
}

const timeLimit = (milliseconds: number): Cause => ({
  code: "time_limit",
  message: `stopped after ${milliseconds / 1000} seconds`,
  limit: milliseconds / 1000,
});
const outputLimit = (bytes: number): Cause => ({
  code: "output_limit",
  message: `stopped because it printed more than ${floodBytes + bytes} bytes`,
  limit: bytes,
});

function pump(reader: number, limit: number, onFlood: () => void): () => OutputCapture {
  const capture = captureOutput(limit);
  const socket = new Socket({ fd: reader, readable: true, writable: false });
  socket.on("error", () => undefined);
  socket.on("data", (chunk) => {
    capture.add(chunk);
    if (capture.bytes > limit + floodBytes) onFlood();
  });
  return () => {
    socket.pause();
    if (!socket.destroyed && !socket.readableEnded) drain(reader, capture);
    socket.destroy();
    return capture;
  };
}

/** What the command wrote before it ended lies in the pipe; what others may still write is not waited for. */
function drain(reader: number, capture: OutputCapture): void {
  const buffer = Buffer.allocUnsafe(65_536);
  for (let total = 0; total < 1024 * 1024; ) {
    try {
      const count = readSync(reader, buffer);
      if (count === 0) return;
      capture.add(Buffer.from(buffer.subarray(0, count)));
      total += count;
    } catch {
      return;
    }
  }
}

/**
 * What the shell would say of a command that could not be started: 127 when it is not there, 126 when it can't be run or
 * its working directory is gone. Null when the text is not bubblewrap's word about that.
 */
export function startFailure(diagnostics: string): number | null {
  const last = diagnostics.trimEnd().split("\n").pop() ?? "";
  if (/^bwrap: (execvp .*|Can't chdir to .*): /.test(last)) {
    return last.startsWith("bwrap: execvp") && last.endsWith("No such file or directory") ? 127 : 126;
  }
  return null;
}

export function resultOf(
  outcome: { exitCode: number | null; cause: Cause | null; stdout: OutputCapture; stderr: OutputCapture },
  milliseconds: number,
): RunResult {
  const split = outcome.cause === null ? splitExitCode(outcome.exitCode) : { exitCode: null, signal: "SIGKILL" };
  return {
    ...split,
    stdout: outcome.stdout.output(),
    stderr: outcome.stderr.output(),
    limit: outcome.cause,
    milliseconds,
  };
}

export const closeQuietly = (fd: number): void => {
  try {
    closeSync(fd);
  } catch {}
};
