// Package managers in RUN: each layer judged by itself, knowing only whether the layers below left package lists.
import { simpleCommands } from "../../shell/index.ts";
import { commandsWithin, nameOf } from "../commands.ts";
import type { runScript } from "./run-script.ts";

export type PackageFinding = {
  readonly rule: string;
  readonly severity: "error" | "warning";
  readonly line: number;
  readonly message: string;
};
/** Package lists in the image: never fetched, unknown with the base, left by an earlier layer, or removed again. */
export type ListState = "none" | "unknown" | "earlier" | "removed";

const assumesYes = (words: readonly string[]): boolean =>
  words
    .slice(1)
    .some(
      (word, index, rest) =>
        /^--(yes|assume-yes|assumeyes|non-interactive|noconfirm|force-yes)$/.test(word) ||
        /^--quiet=[2-9]$/.test(word) ||
        /^-[A-Za-z]*y[A-Za-z]*$/.test(word) ||
        /^-[A-Za-z]*q[A-Za-z]*q/.test(word) ||
        (/Assume-Yes/i.test(word) && /^-?-?o/.test(rest[index - 1] ?? word)),
    );

const verbOf = (words: readonly string[]): string =>
  words.slice(1).find((word) => !word.startsWith("-") && !/[=:]/.test(word)) ?? "";

/** What installs in one RUN do wrong; returns the lists' state after the layer. */
export function lintPackages(
  { script, lineOf }: NonNullable<ReturnType<typeof runScript>>,
  before: ListState,
): { findings: PackageFinding[]; after: ListState } {
  const findings: PackageFinding[] = [];
  let updatedHere = false;
  let state = before;
  for (const command of simpleCommands(script.statements)) {
    const line = lineOf(command.line);
    for (const words of commandsWithin(command)) {
      const name = nameOf(words);
      const verb = verbOf(words);
      if (name === "rm" && words.some((word) => /^\/var\/lib\/apt\/lists/.test(word))) {
        state = "removed";
        updatedHere = false;
      }
      if (/^(apt|apt-get|aptitude)$/.test(name)) {
        if (verb === "update") {
          updatedHere = true;
          state = "earlier";
        }
        if (!/^(install|upgrade|dist-upgrade|full-upgrade|build-dep)$/.test(verb)) continue;
        const fed = yesIsPiped(command, script.statements);
        if (!assumesYes(words) && !fed)
          findings.push({
            rule: "apt_no_yes",
            severity: "error",
            line,
            message: `\`${name} ${verb}\` asks before it installs and nobody answers: give -y`,
          });
        const packages = words.slice(words.indexOf(verb) + 1).filter((word) => !word.startsWith("-"));
        if (updatedHere || (packages.length > 0 && packages.every((word) => /^\.{0,2}\/.*\.deb$|\.deb$/.test(word))))
          continue;
        if (state === "earlier")
          findings.push({
            rule: "apt_update_cached",
            severity: "warning",
            line,
            message:
              "the package lists come from an earlier layer, which a builder may have cached long ago: run `apt-get update` in the same RUN",
          });
        else
          findings.push({
            rule: "apt_no_update",
            severity: state === "unknown" ? "warning" : "error",
            line,
            message:
              state === "removed"
                ? "an earlier command removed the package lists and this RUN doesn't fetch them again"
                : "no package lists: run `apt-get update` in the same RUN",
          });
      } else if (
        /^(yum|dnf|microdnf|zypper)$/.test(name) &&
        /^(install|in|update|upgrade|groupinstall|localinstall|reinstall)$/.test(verb)
      ) {
        if (!assumesYes(words) && !(name === "zypper" && words.includes("-n")))
          findings.push({
            rule: "yum_no_yes",
            severity: "error",
            line,
            message: `\`${name} ${verb}\` asks before it installs and nobody answers: give -y`,
          });
      } else if (name === "pacman" && words.some((word) => /^-S/.test(word)) && !words.includes("--noconfirm"))
        findings.push({
          rule: "yum_no_yes",
          severity: "error",
          line,
          message: "`pacman -S` asks before it installs and nobody answers: give --noconfirm",
        });
    }
  }
  return { findings, after: state };
}

function yesIsPiped(command: object, statements: Parameters<typeof simpleCommands>[0]): boolean {
  for (const statement of statements)
    for (const pipeline of [statement.first, ...statement.rest.map(({ pipeline: other }) => other)]) {
      const at = pipeline.commands.indexOf(command as never);
      const previous = pipeline.commands[at - 1];
      if (at > 0 && previous?.type === "simple" && nameOf(previous.words.map(({ text }) => text)) === "yes")
        return true;
    }
  return false;
}
