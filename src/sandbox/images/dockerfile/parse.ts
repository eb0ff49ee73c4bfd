// A Dockerfile as typed instructions with their lines, and what is wrong with it. Never throws: problems are data.
import { instructionOf } from "./instruction.ts";
import { readLogicalLines } from "./logical-lines.ts";
import type { ArgInstruction, Dockerfile, DockerfileProblem, Instruction, Stage } from "./types.ts";

/** Parses a Dockerfile's text. Variables are not substituted: see `substitute`. */
export function parseDockerfile(text: string): Dockerfile {
  const { escapeCharacter, directives, lines, problems: scanned } = readLogicalLines(text);
  const problems: DockerfileProblem[] = [...scanned];
  const instructions = lines.map((line) => instructionOf(line, escapeCharacter, problems));
  const globals: ArgInstruction[] = [];
  const stages: (Stage & { instructions: Instruction[] })[] = [];
  for (const instruction of instructions) {
    const { line, endLine } = instruction;
    const stage = stages.at(-1);
    if (instruction.keyword === "FROM") {
      if (instruction.alias && stages.some((other) => other.name === instruction.alias?.toLowerCase()))
        problems.push({
          code: "duplicate_stage",
          severity: "error",
          line,
          endLine,
          message: `the stage name ${instruction.alias} is used twice`,
        });
      const name = instruction.alias?.toLowerCase() ?? null;
      stages.push({ index: stages.length, name, from: instruction, instructions: [] });
    } else if (stage) stage.instructions.push(instruction);
    else if (instruction.keyword === "ARG") globals.push(instruction);
    else if (instruction.keyword !== "UNKNOWN")
      problems.push({
        code: "instruction_before_from",
        severity: "error",
        line,
        endLine,
        message: `${instruction.keyword} stands in front of the first FROM; only ARG may`,
      });
  }
  if (stages.length === 0) {
    const line = instructions[0]?.line ?? 1;
    problems.push({ code: "no_from", severity: "error", line, endLine: line, message: "there is no FROM" });
  }
  problems.sort((a, b) => a.line - b.line);
  return { escapeCharacter, directives, instructions, globals, stages, problems };
}
