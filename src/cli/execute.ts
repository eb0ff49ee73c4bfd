import { EngineError, RoutesetterError, SandboxError } from "../contract/index.ts";
import { type CommandResult, type CommandStatus, exitCodeOf, type Reporter } from "./output/events.ts";
import { jsonReporter } from "./output/json-reporter.ts";
import { textReporter } from "./output/text-reporter.ts";

export type CommandContext = { readonly report: Reporter; readonly signal: AbortSignal; readonly json: boolean };

/**
 * Runs one command: reporter, interrupts, closed pipe, errors to exit codes. The first Ctrl-C (or SIGTERM, SIGHUP)
 * stops in good order, so that the run resumes; the second ends at once. A closed pipe ends the command quietly and
 * leaves its run resumable.
 */
export async function execute(
  command: string,
  options: { json?: boolean },
  body: (context: CommandContext) => Promise<CommandResult>,
): Promise<void> {
  const abort = new AbortController();
  let pipeClosed = false;
  const write = (stream: NodeJS.WriteStream) => (text: string) => {
    if (!pipeClosed) stream.write(text);
  };
  const onPipeError = (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    pipeClosed = true;
    abort.abort(new Error("the reader of standard output went away"));
  };
  process.stdout.on("error", onPipeError);
  process.stderr.on("error", () => {});
  let interrupts = 0;
  const onInterrupt = () => {
    interrupts++;
    if (interrupts > 1) process.exit(130);
    process.stderr.write("\nstopping; once more ends at once\n");
    abort.abort(new Error("interrupted"));
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onInterrupt);

  const json = options.json ?? false;
  const report = json
    ? jsonReporter(write(process.stdout))
    : textReporter({
        out: write(process.stdout),
        err: write(process.stderr),
        terminal: process.stderr.isTTY === true && !process.env.NO_COLOR,
        now: () => performance.now(),
      });
  let result: CommandResult;
  try {
    result = await body({ report, signal: abort.signal, json });
    if (interrupts > 0) result = { ...result, status: "interrupted" };
  } catch (error) {
    const stopped = abort.signal.aborted;
    const status = stopped ? "interrupted" : statusOf(error);
    const message = error instanceof Error ? error.message : String(error);
    if (!stopped) process.stderr.write(`${status === "failed" ? (error as Error).stack : `error: ${message}`}\n`);
    result = {
      status,
      counts: {},
      cost: {},
      outputs: [],
      data: stopped ? {} : { error: message, code: codeOf(error) },
    };
  }
  report.result(command, result);
  process.exitCode = pipeClosed ? 0 : exitCodeOf[result.status];
}

function codeOf(error: unknown): string {
  return RoutesetterError.isInstance(error) ? error.code : "unexpected";
}

function statusOf(error: unknown): CommandStatus {
  if (SandboxError.isInstance(error) || EngineError.isInstance(error)) return "infrastructure";
  return RoutesetterError.isInstance(error) ? "usage" : "failed";
}
