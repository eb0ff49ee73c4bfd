import { exitCodeOf, type Reporter } from "./events.ts";

/** One event a line on standard output and nothing else; the last line is the result. */
export function jsonReporter(write: (text: string) => void): Reporter {
  const emit = (value: unknown) => write(`${JSON.stringify(value)}\n`);
  return {
    event: emit,
    line: () => {},
    result: (command, { status, counts, cost, outputs, data }) =>
      emit({ type: "result", command, status, exitCode: exitCodeOf[status], counts, cost, outputs, ...data }),
  };
}
