// Commands of a box: their streams, their limits, their end.
import { Socket } from "node:net";
import { PassThrough } from "node:stream";
import type { Cause, RunOptions, RunResult, SpawnedProcess } from "../../contract/index.ts";
import { commandWords } from "./command-words.ts";
import type { CommandStreams, Life, LifeCommand } from "./life.ts";
import type { LimitKeeper } from "./limit-keeper.ts";
import type { OutputCapture } from "./output-capture.ts";
import type { Pipes } from "./pipes.ts";
import { processTable, signalProcess, treeOf } from "./process-table.ts";
import { closeQuietly, defaultOutputBytes, resultOf, splitExitCode, superviseCommand } from "./run-command.ts";

const killed = 128 + 9;

/** What commands need of their box. */
export interface CommandHost {
  readonly pipes: Pipes;
  readonly limits: LimitKeeper | null;
  readonly life: Life | null;
  killAll(): Promise<void>;
  begin(words: readonly string[], options: RunOptions, streams: CommandStreams): Promise<LifeCommand>;
  /** A descriptor of a file without a name that holds `content`. */
  inputFile(content: string | Uint8Array): number;
  /** The exit code of a command that was killed or ended without one; throws when the sandbox is to blame. */
  explain(outcome: { exitCode: number | null; stderr: OutputCapture }, life: Life | null): Promise<number | null>;
  /** A command ran: the view can be built. */
  noteSuccess(): void;
  /** Throws when a command may have failed because the host's disk is full. */
  assertHostDisk(): void;
}

export async function runCommand(
  host: CommandHost,
  command: string | readonly string[],
  options: RunOptions,
): Promise<RunResult> {
  const begun = performance.now();
  let stop: (cause: Cause) => void = () => undefined;
  const watch = await host.limits?.watch((cause) => stop(cause));
  const out = host.pipes.take();
  const err = host.pipes.take();
  const { words, script } = commandWords(command);
  const given = [options.input, script].map((content) => (content === undefined ? undefined : host.inputFile(content)));
  const [stdin, scriptFile] = given;
  let running: LifeCommand;
  try {
    running = await host.begin(words, options, {
      stdin: stdin ?? "ignore",
      stdout: out.writer,
      stderr: err.writer,
      ...(scriptFile === undefined ? {} : { script: scriptFile }),
    });
  } catch (error) {
    closeQuietly(out.reader);
    closeQuietly(err.reader);
    await watch?.finish(0);
    throw error;
  } finally {
    for (const fd of [out.writer, err.writer, ...given]) if (fd !== undefined) closeQuietly(fd);
  }
  const { life } = host;
  const outcome = await superviseCommand(
    running,
    { stdout: out.reader, stderr: err.reader },
    {
      outputBytes: options.outputBytes ?? defaultOutputBytes,
      ...(options.timeoutMilliseconds === undefined ? {} : { timeoutMilliseconds: options.timeoutMilliseconds }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      kill: (cause) => {
        killCommand(running);
        if (cause.code === "disk_limit" || cause.code === "memory_limit") void host.killAll();
      },
      onStop: (end) => {
        stop = end;
      },
    },
  );
  const fired =
    (await watch?.finish(outcome.cause === null ? outcome.exitCode : 0, () => outcome.stderr.output().text)) ?? null;
  outcome.cause ??= fired;
  if (outcome.exitCode !== null) host.noteSuccess();
  if (outcome.cause === null && (outcome.exitCode === null || outcome.exitCode === killed))
    outcome.exitCode = await host.explain(outcome, life);
  if (outcome.exitCode !== 0 && outcome.cause === null) host.assertHostDisk();
  return resultOf(outcome, performance.now() - begun);
}

export async function spawnCommand(
  host: CommandHost,
  command: string | readonly string[],
  options: RunOptions,
): Promise<SpawnedProcess> {
  const [input, out, err] = [host.pipes.take(), host.pipes.take(), host.pipes.take()];
  const { words, script } = commandWords(command);
  const scriptFile = script === undefined ? undefined : host.inputFile(script);
  let running: LifeCommand;
  try {
    running = await host.begin(words, options, {
      stdin: input.reader,
      stdout: out.writer,
      stderr: err.writer,
      ...(scriptFile === undefined ? {} : { script: scriptFile }),
    });
  } catch (error) {
    for (const fd of [input.writer, out.reader, err.reader]) closeQuietly(fd);
    throw error;
  } finally {
    for (const fd of [input.reader, out.writer, err.writer, scriptFile]) if (fd !== undefined) closeQuietly(fd);
  }
  const stdin = new Socket({ fd: input.writer, readable: false, writable: true });
  stdin.on("error", () => undefined);
  if (options.input !== undefined) stdin.end(options.input);
  let over = false;
  const kill = async (): Promise<void> => {
    if (!over) killCommand(running);
    await running.ended;
  };
  const onAbort = (): void => void kill();
  options.signal?.addEventListener("abort", onAbort, { once: true });
  const exit = running.ended.then((code) => {
    over = true;
    options.signal?.removeEventListener("abort", onAbort);
    stdin.destroy();
    return splitExitCode(code);
  });
  return { stdin, stdout: streamOf(out.reader), stderr: streamOf(err.reader), exit, kill };
}

function streamOf(fd: number): PassThrough {
  const socket = new Socket({ fd, readable: true, writable: false });
  const stream = new PassThrough();
  socket.on("error", () => stream.end());
  socket.pipe(stream);
  return stream;
}

/** Ends a command and what it started, save what made itself a daemon, which killAll ends. */
function killCommand(command: LifeCommand): void {
  for (let round = 0; round < 5; round += 1) {
    const rows = processTable();
    const roots = command.insideMonitor
      ? rows.filter((row) => row.parent === command.processId && row.name === "bwrap").map((row) => row.pid)
      : [command.processId];
    const victims = roots.flatMap((root) => treeOf(root, rows));
    if (victims.length === 0) break;
    for (const row of victims) signalProcess(row.pid, "SIGKILL");
  }
  command.kill();
}
