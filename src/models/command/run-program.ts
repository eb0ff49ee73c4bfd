// Runs one program on one input: without our secrets, with a deadline and a limit on output, gone with all it started.
import { type ChildProcess, spawn } from "node:child_process";

export type ProgramOptions = {
  /** An argument list, or a line for `sh`. */
  readonly command: string | readonly string[];
  readonly input: string;
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMilliseconds: number;
  readonly outputBytes: number;
  readonly signal?: AbortSignal | undefined;
};

export type ProgramResult = {
  readonly end: "exit" | "timeout" | "output_limit" | "aborted" | "not_started";
  /** Exit status, the signal's name, or why it didn't start. */
  readonly status: number | string;
  readonly output: Buffer;
  /** The last of what it wrote on standard error. */
  readonly errorTail: string;
};

const tailBytes = 2_000;
/** How long a process that left the group may hold the pipes open. */
const graceMilliseconds = 500;

export function runProgram(options: ProgramOptions): Promise<ProgramResult> {
  const [file, ...args] =
    typeof options.command === "string"
      ? ["sh", "-c", options.command]
      : ([...options.command] as [string, ...string[]]);
  return new Promise((resolve) => {
    const child = spawn(file as string, args, {
      cwd: options.directory,
      env: options.environment,
      detached: true,
      stdio: ["pipe", "pipe", "pipe"],
    });
    const chunks: Buffer[] = [];
    let length = 0;
    let errorTail = Buffer.alloc(0);
    let end: ProgramResult["end"] = "exit";
    let status: number | string = "unknown";

    const stop = (reason: ProgramResult["end"]) => {
      if (end === "exit") end = reason;
      killGroup(child);
    };
    const abort = () => stop("aborted");
    const deadline = setTimeout(() => stop("timeout"), options.timeoutMilliseconds);
    options.signal?.addEventListener("abort", abort, { once: true });

    child.stdout.on("data", (chunk: Buffer) => {
      if (end !== "exit") return;
      length += chunk.length;
      if (length > options.outputBytes) stop("output_limit");
      else chunks.push(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      errorTail = Buffer.concat([errorTail, chunk]).subarray(-tailBytes);
    });
    // A program may answer without reading what it was given.
    child.stdin.on("error", () => {});
    child.stdin.end(options.input);

    child.on("error", (error) => {
      if (child.pid !== undefined) return;
      end = "not_started";
      status = error.message;
      finish();
    });
    child.on("exit", (code, signal) => {
      status = code ?? signal ?? "unknown";
      clearTimeout(deadline);
      killGroup(child);
      setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, graceMilliseconds).unref();
    });
    child.on("close", () => finish());

    function finish() {
      clearTimeout(deadline);
      options.signal?.removeEventListener("abort", abort);
      resolve({ end, status, output: Buffer.concat(chunks), errorTail: errorTail.toString("utf8").trim() });
    }
  });
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // The group is gone.
  }
}
