// What single statements say about exit statuses: which check they hold, what swallows it, what reads it.
import { type Pipeline, type SimpleCommand, type Statement, simpleCommands } from "../../shell/index.ts";
import { commandsWithin, isComparison, isRunner, nameOf, wordsOf } from "../commands.ts";

export const alwaysTrue = (pipeline: Pipeline): boolean => {
  const command = pipeline.commands.at(-1);
  if (command?.type !== "simple") return false;
  const words = wordsOf(command);
  const name = nameOf(words);
  if (name === "true" || name === ":" || (name === "exit" && words[1] === "0")) return true;
  return (name === "echo" || name === "printf") && !command.redirects.some(({ target }) => /reward/.test(target.text));
};

export const reads = (statement: Statement, what: RegExp): boolean => {
  for (const command of simpleCommands([statement])) {
    const texts = [...command.words, ...command.assignments, ...command.redirects.map(({ target }) => target)];
    if (texts.some(({ raw }) => what.test(raw) && !raw.startsWith("'"))) return true;
  }
  return false;
};
export const readsFirst = (statement: Statement, what: RegExp): boolean => {
  const head: Statement = { ...statement, rest: [] };
  const command = head.first.commands[0];
  if (command?.type === "compound" && command.kind === "if")
    return command.conditions[0]?.some((inner) => reads(inner, what)) ?? false;
  if (command?.type === "compound" && command.kind !== "group") return reads(head, what);
  return command?.type === "compound"
    ? command.bodies[0]?.[0]
      ? readsFirst(command.bodies[0][0], what)
      : false
    : reads(head, what);
};

/** `deciding`: its exit status is what it is there for, so that losing it is a mistake. */
export type FoundCheck = { readonly what: string; readonly runner: boolean; readonly deciding: boolean };

/** The check in a command, a runner before a comparison; null when there is none. */
export function checkOf(command: SimpleCommand): FoundCheck | null {
  let comparison: FoundCheck | null = null;
  for (const words of commandsWithin(command)) {
    if (isRunner(words)) return { what: shorten(words.join(" ")), runner: true, deciding: true };
    if (isComparison(words)) comparison ??= { what: shorten(words.join(" ")), runner: false, deciding: decides(words) };
  }
  return comparison;
}
const decides = (words: readonly string[]): boolean =>
  /^(diff|cmp|test|\[|\[\[)$/.test(nameOf(words)) ||
  (/^[ef]?grep$/.test(nameOf(words)) && words.some((word) => /^-\w*q|^--(quiet|silent)$/.test(word))) ||
  (/^\w+sum$/.test(nameOf(words)) && words.some((word) => /^-\w*c|^--check$/.test(word)));

/** Commands that always succeed: `$?` after one says nothing. */
export const alwaysSucceeds = (statement: Statement): boolean => {
  const pipeline = statement.rest.at(-1)?.pipeline ?? statement.first;
  const command = pipeline.commands.at(-1);
  return command?.type === "simple" && /^(echo|printf|true|:|sleep|date)$/.test(nameOf(wordsOf(command)));
};

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text);
export const sinkOf = (pipeline: Pipeline): string => {
  const last = pipeline.commands.at(-1);
  return last?.type === "simple" ? nameOf(wordsOf(last)) : "the last command";
};
export const textOf = (pipeline: Pipeline | undefined): string => {
  const command = pipeline?.commands.at(-1);
  return command?.type === "simple" ? shorten(command.words.map(({ raw }) => raw).join(" ")) : "a block";
};
