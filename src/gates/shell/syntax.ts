import type { ShellProblem, Word } from "./lexer.ts";

export type Redirect = {
  readonly operator: string;
  readonly descriptor: number | null;
  readonly target: Word;
  readonly body?: string;
};

export type SimpleCommand = {
  readonly type: "simple";
  readonly assignments: readonly Word[];
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
  readonly line: number;
};

export type CompoundKind = "if" | "while" | "until" | "for" | "case" | "group" | "subshell" | "function" | "arithmetic";
/** `conditions` decide which of `bodies` run; a group, a subshell and a function have one body and no condition. */
export type CompoundCommand = {
  readonly type: "compound";
  readonly kind: CompoundKind;
  readonly name?: string;
  readonly conditions: readonly (readonly Statement[])[];
  readonly bodies: readonly (readonly Statement[])[];
  readonly redirects: readonly Redirect[];
  readonly line: number;
};
export type Command = SimpleCommand | CompoundCommand;
export type Pipeline = { readonly negated: boolean; readonly commands: readonly Command[]; readonly line: number };
/** `first && second || third` …, ended by `;`, `&` or a newline. */
export type Statement = {
  readonly first: Pipeline;
  readonly rest: readonly { readonly operator: "&&" | "||"; readonly pipeline: Pipeline }[];
  readonly background: boolean;
  readonly line: number;
};
export type Script = { readonly statements: readonly Statement[]; readonly problems: readonly ShellProblem[] };

/** The statements inside a command, conditions first, in the order of the text. */
export const innerStatements = (command: Command): readonly Statement[] =>
  command.type === "simple" ? [] : [...command.conditions.flat(), ...command.bodies.flat()];

export const pipelinesOf = (statement: Statement): readonly Pipeline[] => [
  statement.first,
  ...statement.rest.map(({ pipeline }) => pipeline),
];

/** Every simple command below, in the order of the text. */
export function* simpleCommands(statements: readonly Statement[]): Generator<SimpleCommand> {
  for (const statement of statements)
    for (const pipeline of pipelinesOf(statement))
      for (const command of pipeline.commands)
        if (command.type === "simple") yield command;
        else yield* simpleCommands(innerStatements(command));
}
