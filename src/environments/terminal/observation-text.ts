// What the policy reads of a command's result: the output, what was cut, how it ended, and the limit that fired.
import type { Cause, JsonObject, Observation, Output, RunResult } from "../../contract/index.ts";

export function describeRun(result: RunResult): Observation {
  const { stdout, stderr, exitCode, signal, limit } = result;
  const parts = [body(stdout)];
  if (stderr.bytes > 0) parts.push("[standard error]", body(stderr));
  parts.push(...cuts("standard output", stdout), ...cuts("standard error", stderr));
  if (limit) parts.push(describeLimit(limit));
  else if (exitCode === null) parts.push(`[ended by signal ${signal ?? "unknown"}]`);
  else parts.push(`[exit code ${exitCode}]`);
  return {
    text: parts.filter((part) => part !== "").join("\n"),
    data: {
      exit_code: exitCode,
      signal,
      stdout: describeOutput(stdout),
      stderr: describeOutput(stderr),
      limit: limit ? limitJson(limit) : null,
    },
  };
}

/** The limit by name and value, so that it can't be taken for another one. */
export function describeLimit(limit: Cause): string {
  const value = limit.limit === undefined ? "" : ` (${limit.code} = ${limit.limit})`;
  return `[stopped: ${limit.message}${value}]`;
}

const body = (output: Output) => output.text.replace(/\n$/, "");

const cuts = (name: string, output: Output) =>
  output.truncated ? [`[${name} cut: ${Buffer.byteLength(output.text)} of ${output.bytes} bytes shown]`] : [];

const describeOutput = (output: Output): JsonObject => ({
  text: output.text,
  bytes: output.bytes,
  truncated: output.truncated,
});

/** A cause as JSON. */
export const limitJson = ({ code, message, limit }: Cause): JsonObject => ({
  code,
  message,
  ...(limit === undefined ? {} : { limit }),
});
