import { parseShell, simpleCommands } from "../../shell/index.ts";
import { commandsWithin, networkUse } from "../commands.ts";
import { excerptOf, type Finding, sortFindings } from "../finding.ts";
import { pipesToShell, pipeToShellMessage } from "../pipe-to-shell.ts";
import { ExitStatusReader } from "./exit-status.ts";
import { functionNames } from "./function-names.ts";
import type { Variables } from "./reward-writes.ts";

/**
 * Lints `tests/test.sh`. `file` is its path in reports; `directory` the WORKDIR it starts in, when known; `others` the
 * text of the other files beside it, where a reward may be written too.
 */
export function lintTestScript(
  source: string,
  options: { file: string; directory?: string; others?: readonly string[] },
): Finding[] {
  const findings: Finding[] = [];
  const add = (rule: string, severity: Finding["severity"], line: number, message: string) =>
    findings.push({ rule, severity, message, file: options.file, line, excerpt: excerptOf(source, line) });

  if (source.includes("\r\n"))
    add("carriage_returns", "error", 1, "lines end in CRLF: the kernel looks for an interpreter named `bash\\r`");
  if (!source.startsWith("#!"))
    add("no_interpreter", "warning", 1, "no `#!` line: which shell runs it is left to chance");

  const script = parseShell(source.replaceAll("\r\n", "\n"));
  for (const { message, line } of script.problems) add("shell_syntax", "warning", line, message);

  const variables: Variables = new Map([
    ["TEST_DIR", "/tests"],
    ["TESTS_DIR", "/tests"],
  ]);
  const errexit = /^#!\S+(\s+\S+)*\s+-\w*e/.test(source.split("\n")[0] ?? "");
  const reader = new ExitStatusReader({ variables, directory: options.directory ?? null, errexit });
  reader.noteFunctions(functionNames(script.statements));
  reader.read(script.statements);
  for (const { rule, severity, line, message } of reader.findings) add(rule, severity, line, message);

  for (const command of simpleCommands(script.statements))
    for (const words of commandsWithin(command)) {
      const use = networkUse(words);
      if (use !== null)
        add(
          "network_at_grading",
          "warning",
          command.line,
          `${use} while grading: without network, or when it drifts, no verdict is possible`,
        );
    }
  for (const line of pipesToShell(script.statements)) add("pipe_to_shell", "warning", line, pipeToShellMessage);

  const writes = reader.rewards.map(({ write }) => write);
  const right = writes.some(({ resolved }) => resolved === null || resolved.startsWith("/logs/verifier/"));
  const elsewhere = writes.filter(({ resolved }) => resolved !== null && !resolved.startsWith("/logs/verifier/"));
  const mentioned = [source.replace(/^\s*#.*$/gm, ""), ...(options.others ?? [])].some((text) =>
    /\/logs\/verifier|reward\.(txt|json)/.test(text),
  );
  if (!right && elsewhere.length > 0)
    for (const { path, line } of elsewhere)
      add(
        "reward_elsewhere",
        "error",
        line,
        `the reward is written to ${path}; it is read from /logs/verifier/reward.txt or reward.json`,
      );
  else if (!mentioned)
    add("no_reward_written", "error", 1, "nothing here writes /logs/verifier/reward.txt or reward.json");
  return sortFindings(findings);
}
