import type { Evidence } from "../contract/index.ts";
import { parseDockerfile } from "../sandbox/index.ts";
import { defineGate } from "./gate.ts";
import { commandsWithin, nameOf } from "./lint/commands.ts";
import { runScript } from "./lint/dockerfile/run-script.ts";
import { parseShell, simpleCommands } from "./shell/index.ts";
import { inEveryStep } from "./task-files.ts";

/** Packages that a command fetches without saying which version. Distribution packages are left out: their old versions vanish. */
export function unpinnedPackages(words: readonly string[]): string[] {
  const name = nameOf(words);
  const pip = /^pip[\d.]*$/.test(name)
    ? 1
    : name === "uv" && words[1] === "pip"
      ? 2
      : /^python[\d.]*$/.test(name) && words[1] === "-m" && words[2] === "pip"
        ? 3
        : 0;
  if (pip > 0 && words[pip] === "install") {
    const packages: string[] = [];
    for (let index = pip + 1; index < words.length; index++) {
      const word = words[index] as string;
      if (
        /^(-r|--requirement|-c|--constraint|-t|--target|--index-url|-i|--extra-index-url|--prefix|--root|-f|--find-links)$/.test(
          word,
        )
      )
        index += 1;
      else if (!word.startsWith("-") && !/^[./$]|==|===|@|\.whl$|^https?:|\$/.test(word)) packages.push(word);
    }
    return packages;
  }
  if (/^(npm|pnpm|yarn)$/.test(name) && /^(i|install|add)$/.test(words[1] ?? ""))
    return words.slice(2).filter((word) => !/^[-./$]/.test(word) && !/.@[\d^~]/.test(word));
  if (name === "uvx")
    return words
      .slice(1)
      .filter((word, index, rest) => /^(-w|--with|--from)$/.test(rest[index - 1] ?? "") && !word.includes("=="));
  return [];
}

/** `dependency_pinning`: fetched packages say their version. Only ever a warning. */
export const dependencyPinning = defineGate({
  id: "dependency_pinning",
  cost: "static",
  measures: "Python and Node packages that the Dockerfile or the test script fetches say their version.",
  requiredAt: [],
  async look(_task, { files }) {
    const evidence: Evidence[] = [];
    const note = (file: string, line: number, words: readonly string[]) => {
      for (const word of unpinnedPackages(words))
        evidence.push({ message: `${word} without a version`, file, line, rule: "unpinned_package" });
    };
    const dockerfile = files.text("environment/Dockerfile");
    for (const instruction of dockerfile === null ? [] : parseDockerfile(dockerfile).instructions) {
      if (instruction.keyword !== "RUN") continue;
      const read = runScript(instruction);
      for (const command of simpleCommands(read?.script.statements ?? []))
        for (const words of commandsWithin(command))
          note("environment/Dockerfile", read?.lineOf(command.line) ?? instruction.line, words);
    }
    for (const file of inEveryStep(files, "tests/test.sh"))
      for (const command of simpleCommands(parseShell(files.text(file) ?? "").statements))
        for (const words of commandsWithin(command)) note(file, command.line, words);
    return {
      status: evidence.length === 0 ? "pass" : "warn",
      measured: { unpinned: evidence.length },
      evidence,
      remediation: "Pin each package (`name==version`), so that next month's build is this one.",
    };
  },
});
