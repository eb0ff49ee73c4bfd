import type { Json } from "../../contract/index.ts";

/** What a command tells while it works. With `--json` each is one line on standard output. */
export type CommandEvent = { readonly type: string; readonly [key: string]: Json };

export type CommandStatus = "ok" | "failed" | "usage" | "infrastructure" | "interrupted";

/** What a command found, loaded and rejected, what it cost and where things are. `lines` are for people. */
export type CommandResult = {
  readonly status: CommandStatus;
  readonly counts: Readonly<Record<string, number>>;
  readonly cost: Readonly<Record<string, number | null>>;
  readonly outputs: readonly string[];
  readonly lines?: readonly string[];
  readonly data?: Readonly<Record<string, Json>>;
};

export const exitCodeOf: Readonly<Record<CommandStatus, number>> = {
  ok: 0,
  failed: 1,
  usage: 2,
  infrastructure: 3,
  interrupted: 130,
};

/** Renders events as they come: one implementation for each of tty, plain and json. */
export interface Reporter {
  event(event: CommandEvent): void;
  /** A line for people; dropped by the json reporter. */
  line(text: string): void;
  /** Something that deserves attention and stops nothing: always standard error. */
  warning(text: string): void;
  /** A whole report that was asked for: alone on standard output, so that it can be piped into a file. */
  document(format: string, text: string): void;
  result(command: string, result: CommandResult): void;
}
