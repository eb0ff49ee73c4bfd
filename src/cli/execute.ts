import { setImmediate } from "node:timers/promises";
import { printable } from "../contract/index.ts";
import { type CommandResult, exitCodeOf, type Reporter } from "./output/events.ts";
import { type Fault, faultOf } from "./output/fault.ts";
import { jsonReporter } from "./output/json-reporter.ts";
import { type OutputStreams, openStreams } from "./output/streams.ts";
import { textReporter } from "./output/text-reporter.ts";

export type CommandContext = {
  readonly report: Reporter;
  readonly signal: AbortSignal;
  readonly json: boolean;
  /** Sandboxes at a time, when the command line says. */
  readonly concurrency?: number;
};

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
  const streams = openStreams((reason) => abort.abort(reason));
  const json = options.json ?? false;
  const report = reporterFor(json, streams);
  let interrupts = 0;
  const onInterrupt = () => {
    if (++interrupts > 1) {
      report.result(command, nothing("interrupted"));
      process.exit(exitCodeOf.interrupted);
    }
    streams.err("\nstopping in good order; once more ends at once\n");
    abort.abort(new Error("interrupted"));
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onInterrupt);
  process.on("uncaughtException", (error) => {
    const fault = faultOf(error);
    streams.err(`error: ${printable(fault.message)}\n`);
    report.result(command, failure({ ...fault, status: "infrastructure" }));
    process.exit(exitCodeOf.infrastructure);
  });

  let result: CommandResult;
  try {
    result = await body({ report, signal: abort.signal, json });
    if (interrupts > 0) result = { ...result, status: "interrupted" };
  } catch (error) {
    if (abort.signal.aborted) result = nothing("interrupted");
    else {
      const fault = faultOf(error);
      streams.err(`error: ${printable(fault.message)}\n`);
      result = failure(fault);
    }
  }
  const fault = streams.fault();
  if (fault) {
    streams.err(`error: standard output can't be written: ${fault.message}\n`);
    result = { ...result, status: "infrastructure" };
  }
  report.result(command, result);
  await setImmediate();
  if (streams.hungUp()) endByHangUp();
  process.exitCode = streams.closed() && result.status === "interrupted" ? 0 : exitCodeOf[result.status];
}

/** Terminals that don't know their width say nothing, 0 or 1. */
const widthOf = (columns: number | undefined): number => (columns === undefined || columns < 20 ? 80 : columns);

/** Node aborts when it ends normally on a terminal that is gone, so the signal ends it that said so. */
function endByHangUp(): void {
  process.removeAllListeners("SIGHUP");
  process.kill(process.pid, "SIGHUP");
}

function reporterFor(json: boolean, streams: OutputStreams): Reporter {
  const now = () => performance.now();
  const { out, err } = streams;
  if (json) return jsonReporter({ out, err, now });
  const terminal = process.stderr.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== "dumb";
  return textReporter({ out, err, now, columns: () => (terminal ? widthOf(process.stderr.columns) : null) });
}

const nothing = (status: CommandResult["status"]): CommandResult => ({ status, counts: {}, cost: {}, outputs: [] });
const failure = ({ status, message, code }: Fault): CommandResult => ({
  ...nothing(status),
  data: { error: message.split("\n")[0] ?? "", code },
});
