import { innerStatements, pipelinesOf, type Statement, simpleCommands } from "../../shell/index.ts";
import { nameOf, wordsOf } from "../commands.ts";

/** Functions of a script whose body may end it (`exit`), so that a call of one guards what follows. */
export function functionNames(statements: readonly Statement[]): string[] {
  const names: string[] = [];
  for (const statement of statements)
    for (const pipeline of pipelinesOf(statement))
      for (const command of pipeline.commands) {
        if (command.type !== "compound") continue;
        const inner = innerStatements(command);
        if (command.kind === "function" && command.name !== undefined)
          if ([...simpleCommands(inner)].some((each) => nameOf(wordsOf(each)) === "exit")) names.push(command.name);
        names.push(...functionNames(inner));
      }
  return names;
}
