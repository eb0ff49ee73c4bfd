import { posix } from "node:path";
import type { SimpleCommand, Word } from "../../shell/index.ts";
import { nameOf, wordsOf } from "../commands.ts";

/** A write of a reward file by the shell itself. `value` is null when it isn't a literal. */
export type RewardWrite = {
  readonly path: string;
  /** Absolute and known, or null when a variable that isn't known stands in it. */
  readonly resolved: string | null;
  readonly value: number | null;
  readonly exitStatus: boolean;
  readonly line: number;
};

export type Variables = Map<string, string>;

/** Replaces variables whose value is a literal of this script, and `${NAME:-default}`. */
export function expandWord(text: string, variables: Variables): string {
  return text
    .replace(
      /\$\{(\w+)(?::?-([^}]*))?\}/g,
      (whole, name: string, fallback?: string) => variables.get(name) ?? fallback ?? whole,
    )
    .replace(/\$(\w+)/g, (whole, name: string) => variables.get(name) ?? whole);
}

/** Names that are assigned in more than one place: what they hold depends on the way taken. */
export function ambiguousNames(commands: Iterable<SimpleCommand>): Set<string> {
  const counts = new Map<string, number>();
  for (const command of commands)
    for (const word of assignmentsOf(command)) {
      const name = /^\w+/.exec(word.text)?.[0] ?? "";
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  return new Set([...counts].filter(([, count]) => count > 1).map(([name]) => name));
}

const assignmentsOf = (command: SimpleCommand): readonly Word[] =>
  /^(export|declare|local|readonly)$/.test(nameOf(wordsOf(command)))
    ? [...command.assignments, ...command.words.slice(1)]
    : command.assignments;

/** Notes `NAME=literal` assignments; a later value that isn't a literal forgets the name. */
export function noteAssignments(command: SimpleCommand, variables: Variables, ambiguous: ReadonlySet<string>): void {
  for (const word of assignmentsOf(command)) {
    const match = /^(\w+)=([\s\S]*)$/.exec(word.text);
    if (match === null) continue;
    const [, name = "", value = ""] = match;
    const expanded = expandWord(value, variables);
    if (/[$`]/.test(expanded) || ambiguous.has(name)) variables.delete(name);
    else variables.set(name, expanded);
  }
}

const isRewardFile = (path: string): boolean => /^reward\.(txt|json)$/.test(posix.basename(path));
const literal = (text: string): number | null => {
  if (/[$`]/.test(text)) return null;
  const match = /"reward"\s*:\s*(-?[\d.]+)/.exec(text) ?? /^\s*(-?\d+(?:\.\d+)?)\s*(?:\\n)?\s*$/.exec(text);
  const value = match === null ? Number.NaN : Number(match[1]);
  return Number.isFinite(value) ? value : null;
};

/** The reward files that a pipeline's commands write with redirections or `tee`. */
export function rewardWrites(
  commands: readonly SimpleCommand[],
  variables: Variables,
  workingDirectory: string | null,
): RewardWrite[] {
  const writes: RewardWrite[] = [];
  for (const [index, command] of commands.entries()) {
    const words = wordsOf(command);
    const redirected = command.redirects.filter(({ operator }) => /^(>|>>|>\||&>|&>>)$/.test(operator));
    const targets = redirected.map(({ target }) => target.text);
    let source: SimpleCommand | undefined = command;
    if (nameOf(words) === "tee") {
      targets.push(...words.slice(1).filter((word) => !word.startsWith("-")));
      source = commands[index - 1];
    }
    for (const target of targets) {
      const expanded = expandWord(target, variables);
      if (!isRewardFile(expanded)) continue;
      const relative = !expanded.startsWith("/") && !expanded.startsWith("$");
      const known = relative && workingDirectory !== null ? posix.join(workingDirectory, expanded) : expanded;
      const text = source === undefined ? "$" : printedText(source);
      writes.push({
        path: target,
        resolved: /[$`]/.test(known) || (relative && workingDirectory === null) ? null : posix.normalize(known),
        value: literal(expandWord(text, variables)),
        exitStatus: text.trim() === "$?",
        line: command.line,
      });
    }
  }
  return writes;
}

/** What a command prints when that is a literal, `$` when it can't be told. */
function printedText(command: SimpleCommand): string {
  const words = wordsOf(command);
  const name = nameOf(words);
  const body = command.redirects.find(({ operator }) => operator === "<<" || operator === "<<-")?.body;
  if (name === "cat" && body !== undefined) return body;
  if (name === "echo")
    return words
      .slice(1)
      .filter((word) => !/^-[neE]+$/.test(word))
      .join(" ");
  if (name === "printf") {
    const [format = "", ...values] = words.slice(1).filter((word) => word !== "--");
    let next = 0;
    return format.replace(/%[sdfg]/g, () => values[next++] ?? "");
  }
  return "$";
}
