import { printable, printableJson } from "../../contract/index.ts";
import { exitCodeOf, type Reporter } from "./events.ts";
import { Pace } from "./progress.ts";

type Streams = { out: (text: string) => void; err: (text: string) => void; now: () => number };

/** One event a line on standard output and nothing else; the last line is the result. Warnings go to standard error. */
export function jsonReporter({ out, err, now }: Streams): Reporter {
  const emit = (value: unknown) => out(`${printableJson(value)}\n`);
  const paces = new Map<string, Pace>();
  return {
    event({ text: _, ...event }) {
      if (event.type !== "progress") return emit(event);
      const what = String(event.what);
      const pace = paces.get(what) ?? new Pace(now());
      paces.set(what, pace);
      pace.record(Number(event.done), now());
      const left = pace.left(event.total === null ? null : Number(event.total));
      emit({ ...event, secondsLeft: left === null ? null : Math.round(left / 1000) });
    },
    line: () => {},
    warning: (text) => err(`warning: ${printable(text)}\n`),
    document: (format, text) => emit({ type: "document", format, text }),
    result: (command, { status, counts, cost, outputs, data }) =>
      emit({ type: "result", command, status, exitCode: exitCodeOf[status], counts, cost, outputs, ...data }),
  };
}
