// A small reader of shell scripts, for lints: it parses and never runs.
export { type ShellProblem, tokenizeShell, type Word } from "./lexer.ts";
export { parseShell } from "./parser.ts";
export * from "./syntax.ts";
