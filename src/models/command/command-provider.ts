// A model that is a program: it reads the prompt on standard input and answers on standard output. A coding agent, say.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigError, ModelError, type ModelProvider, type ModelRequest } from "../../contract/index.ts";
import { unknownUsage } from "../usage.ts";
import { readAnswer } from "./read-answer.ts";
import { renderRequest } from "./render-request.ts";
import { type ProgramResult, runProgram } from "./run-program.ts";

export type CommandOptions = {
  /** An argument list, or a line for `sh`. */
  readonly command: string | readonly string[];
  /** How the request is handed over. Default "text". */
  readonly format?: "text" | "json";
  /** Names of environment variables that it gets beside PATH, HOME, LANG and TERM. */
  readonly environment?: readonly string[];
  /** Where it runs; by default an empty folder of its own for each call. */
  readonly directory?: string;
  /** Default ten minutes. */
  readonly timeoutMilliseconds?: number;
  /** Default 4 MiB. */
  readonly outputBytes?: number;
  /** The variables to choose from; those of this process by default. */
  readonly from?: Readonly<Record<string, string | undefined>>;
};

const allowed = ["PATH", "HOME", "LANG", "TERM"];

export function commandProvider(options: CommandOptions): ModelProvider {
  const { command, format = "text", timeoutMilliseconds = 600_000, outputBytes = 4 * 1024 * 1024 } = options;
  if (command.length === 0)
    throw new ConfigError({
      code: "command_empty",
      message: "the model is a command, and no command is given",
      remedy: "name a program that reads a prompt on standard input",
    });
  const name = typeof command === "string" ? command : command.join(" ");
  const id = `command:${name}`;
  const environment = pick(options.from ?? process.env, [...allowed, ...(options.environment ?? [])]);
  let answered = 0;

  return {
    id,
    async complete(request, call) {
      call?.signal?.throwIfAborted();
      const isTemporary = options.directory === undefined;
      const directory = options.directory ?? (await mkdtemp(join(tmpdir(), "routesetter-command-")));
      try {
        const result = await runProgram({
          command,
          input: format === "json" ? `${JSON.stringify(request)}\n` : renderRequest(request),
          directory,
          environment,
          timeoutMilliseconds,
          outputBytes,
          signal: call?.signal,
        });
        if (result.end === "aborted") throw call?.signal?.reason;
        const output = readOutput(result, name, { timeoutMilliseconds, outputBytes });
        const { text, calls } = usesProtocol(request, format) ? readAnswer(output) : { text: output, calls: [] };
        answered++;
        return {
          text,
          reasoning: null,
          calls: calls.map((item, index) => ({ id: `command-${answered}-${index + 1}`, ...item })),
          finishReason: calls.length > 0 ? "tool-calls" : "stop",
          usage: unknownUsage,
          model: { id, revision: null },
        };
      } finally {
        if (isTemporary) await rm(directory, { recursive: true, force: true }).catch(() => {});
      }
    },
  };
}

/** Where no tools are offered in text, an answer that happens to look like the protocol is just an answer. */
function usesProtocol(request: ModelRequest, format: "text" | "json"): boolean {
  return format === "json" || (request.tools !== undefined && request.tools.length > 0);
}

function readOutput(
  result: ProgramResult,
  name: string,
  limits: { timeoutMilliseconds: number; outputBytes: number },
): string {
  const tail = result.errorTail === "" ? "" : `; its standard error ends with: ${result.errorTail.slice(-500)}`;
  const fail = (code: string, message: string, remedy: string, isRetryable = false) =>
    new ModelError({ code, message: `${name}: ${message}${tail}`, remedy, isRetryable });
  if (result.end === "not_started")
    throw fail("command_not_started", `could not be started: ${result.status}`, "check the program's name and PATH");
  if (result.end === "timeout")
    throw fail(
      "command_timeout",
      `gave no answer within ${limits.timeoutMilliseconds / 1000} s and was killed`,
      "raise the profile's timeout, or use a faster program",
      true,
    );
  if (result.end === "output_limit")
    throw fail(
      "command_output_limit",
      `wrote more than ${limits.outputBytes} bytes and was killed`,
      "make it answer with the answer alone",
    );
  if (result.status !== 0)
    throw fail("command_failed", `ended with ${describeStatus(result.status)}`, "run it by hand with a short prompt");
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(result.output);
  } catch {
    throw fail("command_not_utf8", "answered with bytes that are not UTF-8", "make it write UTF-8");
  }
  if (text.trim() === "")
    throw fail("command_no_answer", "ended well and wrote nothing on standard output", "make it print its answer");
  return text;
}

function describeStatus(status: number | string): string {
  return typeof status === "number" ? `exit status ${status}` : `signal ${status}`;
}

function pick(from: Readonly<Record<string, string | undefined>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = from[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}
