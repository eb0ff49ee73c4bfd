import { innerStatements, pipelinesOf, type Statement, simpleCommands } from "../shell/index.ts";
import { commandsWithin, nameOf, wordsOf } from "./commands.ts";

export const pipeToShellMessage =
  "a download is piped to a shell: when the download fails, the shell succeeds on nothing";

/** Lines of pipelines that feed a download to a shell; none when `pipefail` is set, which lets the failure through. */
export function pipesToShell(statements: readonly Statement[]): number[] {
  for (const command of simpleCommands(statements)) {
    const words = wordsOf(command);
    if (nameOf(words) === "set" && words.includes("pipefail")) return [];
  }
  return linesIn(statements);
}

function linesIn(statements: readonly Statement[]): number[] {
  return statements.flatMap(pipelinesOf).flatMap((pipeline) => {
    const names = pipeline.commands.map((command) =>
      command.type === "simple" ? [...commandsWithin(command)].map(nameOf) : [],
    );
    const fetch = names.findIndex((each) => each.some((name) => name === "curl" || name === "wget"));
    const fed = fetch >= 0 && names.slice(fetch + 1).some((each) => each.some((name) => /^(ba|da|z|k)?sh$/.test(name)));
    const inner = pipeline.commands.flatMap((command) => linesIn(innerStatements(command)));
    return fed ? [pipeline.line, ...inner] : inner;
  });
}
