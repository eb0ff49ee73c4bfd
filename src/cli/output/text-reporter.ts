import { printable } from "../../contract/index.ts";
import { type CommandEvent, exitCodeOf, type Reporter } from "./events.ts";
import { durationText, Pace, type Progress, progressText } from "./progress.ts";

type Streams = {
  /** Standard output: lines and the summary. */
  out: (text: string) => void;
  /** Standard error: progress and warnings. */
  err: (text: string) => void;
  /** Columns of a terminal, which gets one status line that is rewritten; null: a line every few seconds. */
  columns: () => number | null;
  now: () => number;
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: the colours that renderers paint with
const ownColour = /(\u001b\[(?:0|31|32|33|35|90)m)/;

/** Whatever acts on a terminal, but our own colours, is made visible: names and messages may be a stranger's. */
const withoutControls = (text: string): string =>
  text
    .split(ownColour)
    .map((part, index) => (index % 2 === 1 ? part : printable(part)))
    .join("");

/** For people: progress with counts and an estimate, lines as they come, and a summary at the end. */
export function textReporter({ out, err, columns, now }: Streams): Reporter {
  const started = now();
  const paces = new Map<string, Pace>();
  let status = false;
  let lastPlain = Number.NEGATIVE_INFINITY;
  /** Where the summary goes: standard error once a document has standard output. */
  let say = out;
  const clear = () => {
    if (status) err("\r\u001b[2K");
    status = false;
  };
  const line = (text: string) => {
    clear();
    say(`${withoutControls(text)}\n`);
  };
  const progress = (event: CommandEvent) => {
    const { done, total, counts } = event as unknown as Progress;
    const what = String(event.what ?? "progress");
    const pace = paces.get(what) ?? new Pace(started);
    paces.set(what, pace);
    pace.record(done, now());
    const text = `${what} ${progressText({ done, total, counts }, pace.left(total))}`;
    const width = columns();
    if (width !== null) {
      status = true;
      err(`\r\u001b[2K${text.slice(0, width - 1)}`);
    } else if (now() - lastPlain > 5000 || done === total) {
      lastPlain = now();
      err(`${text}\n`);
    }
  };
  return {
    event(event) {
      if (event.type === "progress") progress(event);
      else if (typeof event.text === "string") line(event.text);
    },
    line,
    warning(text) {
      clear();
      err(`warning: ${printable(text)}\n`);
    },
    document(_format, text) {
      clear();
      out(text);
      say = err;
    },
    result(_command, result) {
      for (const text of result.lines ?? []) line(text);
      const counts = Object.entries(result.counts).map(([name, count]) => `${name} ${count}`);
      if (counts.length) line(counts.join(" · "));
      const cost = Object.entries(result.cost).map(([name, value]) => `${name} ${value ?? "unknown"}`);
      if (cost.length) line(`cost: ${[...cost, `wall ${durationText(now() - started)}`].join(" · ")}`);
      for (const output of result.outputs) line(`→ ${output}`);
      if (result.status !== "ok") line(`status: ${result.status} (exit ${exitCodeOf[result.status]})`);
    },
  };
}
