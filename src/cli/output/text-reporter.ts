import { type CommandEvent, exitCodeOf, type Reporter } from "./events.ts";
import { durationText, progressText } from "./progress.ts";

type Streams = {
  /** Standard output: lines and the summary. */
  out: (text: string) => void;
  /** Standard error: progress and warnings. */
  err: (text: string) => void;
  /** A terminal gets one status line that is rewritten; anything else a line every few seconds. */
  terminal: boolean;
  now: () => number;
};

/** For people: progress with counts and an estimate, lines as they come, and a summary at the end. */
export function textReporter({ out, err, terminal, now }: Streams): Reporter {
  const started = now();
  let status = "";
  let lastPlain = Number.NEGATIVE_INFINITY;
  const clear = () => {
    if (terminal && status) err("\r\u001b[2K");
    status = "";
  };
  const line = (text: string) => {
    clear();
    out(`${text}\n`);
  };
  const progress = (event: CommandEvent) => {
    const { done, total, counts } = event as unknown as {
      done: number;
      total: number | null;
      counts: Record<string, number>;
    };
    const text = `${String(event.what ?? "progress")} ${progressText({ done, total, counts }, now() - started)}`;
    if (terminal) {
      status = text;
      err(`\r\u001b[2K${text.slice(0, 110)}`);
    } else if (now() - lastPlain > 5000 || done === total) {
      lastPlain = now();
      err(`${text}\n`);
    }
  };
  return {
    event(event) {
      if (event.type === "progress") return progress(event);
      if (event.type === "warning" || event.type === "error") {
        clear();
        err(`${event.type}: ${String(event.message)}\n`);
      } else if (typeof event.text === "string") line(event.text);
    },
    line,
    result(_command, result) {
      clear();
      for (const text of result.lines ?? []) out(`${text}\n`);
      const counts = Object.entries(result.counts).map(([name, count]) => `${name} ${count}`);
      if (counts.length) out(`${counts.join(" · ")}\n`);
      const cost = Object.entries(result.cost).map(([name, value]) => `${name} ${value ?? "unknown"}`);
      out(`cost: ${[...cost, `wall ${durationText(now() - started)}`].join(" · ")}\n`);
      for (const output of result.outputs) out(`→ ${output}\n`);
      if (result.status !== "ok") out(`status: ${result.status} (exit ${exitCodeOf[result.status]})\n`);
    },
  };
}
