import { innerStatements, parseShell, pipelinesOf, type SimpleCommand, type Statement } from "../shell/index.ts";
import { commandsWithin, nameOf, networkUse } from "./commands.ts";

/** Something that a script fetches while it runs, as a command's words. */
export type FetchedTool = {
  readonly kind: "uv-installer" | "apt" | "pip" | "uvx" | "uv" | "npm" | "other";
  readonly words: readonly string[];
  readonly line: number;
  /** In a few words, for reports. */
  readonly what: string;
};

/** What a script fetches over the network, in the order of its text. */
export function fetchedTools(source: string): FetchedTool[] {
  const { statements } = parseShell(source.replaceAll("\r\n", "\n"));
  const found: FetchedTool[] = [];
  const look = (command: SimpleCommand) => {
    for (const words of commandsWithin(command)) {
      const what = networkUse(words);
      if (what === null) continue;
      found.push({ kind: kindOf(words), words, line: command.line, what });
    }
  };
  const visit = (all: readonly Statement[]): void => {
    for (const statement of all)
      for (const pipeline of pipelinesOf(statement))
        for (const command of pipeline.commands)
          if (command.type === "simple") look(command);
          else visit(innerStatements(command));
  };
  visit(statements);
  return found;
}

function kindOf(words: readonly string[]): FetchedTool["kind"] {
  const name = nameOf(words);
  if (/^(curl|wget)$/.test(name))
    return words.some((word) => /^https:\/\/(?:www\.)?astral\.sh\/uv\//.test(word)) ? "uv-installer" : "other";
  if (/^apt(-get)?$/.test(name)) return "apt";
  if (/^pip[\d.]*$/.test(name) || (/^python[\d.]*$/.test(name) && words.includes("pip"))) return "pip";
  if (name === "uvx") return "uvx";
  if (name === "uv") return "uv";
  if (name === "npm") return "npm";
  return "other";
}
