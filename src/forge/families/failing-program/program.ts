import type { Random } from "../../../statistics/index.ts";
import { formatter } from "./kinds/formatter/index.ts";
import { limiter } from "./kinds/limiter/index.ts";
import { network } from "./kinds/network/index.ts";
import { planner } from "./kinds/planner/index.ts";
import { till } from "./kinds/till/index.ts";
import { Complaint, type Part, type PlantedBug, type State } from "./part.ts";

export const kinds = [till, limiter, planner, formatter, network] as const;

export type Program = {
  readonly title: string;
  /** The program's folder under /app. */
  readonly folder: string;
  readonly parts: readonly Part[];
  readonly separator: string;
  readonly failureStatus: number;
};

export function drawProgram(random: Random): Program {
  const kind = random.pick(kinds);
  const makers = random.sample(kind.parts, Math.min(kind.parts.length, random.integer(4, 5)));
  return {
    title: kind.title,
    folder: random.pick(kind.names),
    parts: makers.map((make, i) => make(random.fork(`part ${i}`))),
    separator: random.pick(["==", "--", "%%", "##"]),
    failureStatus: random.integer(2, 9),
  };
}

/** The program's output for input lines, from the specification's meaning. `twisted`: parts with a bug in place. */
export function answers(
  program: Program,
  lines: readonly string[],
  twisted: ReadonlySet<Part> = new Set(),
): { output: string[]; failed: boolean } {
  const output: string[] = [];
  let state: State = {};
  let failed = false;
  for (const raw of lines) {
    const line = raw.trim();
    if (line === "" || line.startsWith("# ")) continue;
    const [verb, ...words] = line.split(/\s+/) as [string, ...string[]];
    if (verb === program.separator) {
      state = {};
      output.push(line);
      continue;
    }
    const part = program.parts.find((candidate) => candidate.verbs.includes(verb));
    try {
      if (!part) throw new Complaint(`unknown command ${verb}`);
      state[part.name] ??= {};
      output.push(...part.answer(state[part.name], verb, words, twisted.has(part)));
    } catch (error) {
      if (!(error instanceof Complaint)) throw error;
      failed = true;
      output.push(`error: ${error.message}`);
    }
  }
  return { output, failed };
}

/** A part's module with the given bugs in it. */
export function moduleSource(part: Part, bugs: readonly PlantedBug[]): string {
  const body = part.python.replace(
    /§(\w+)§/g,
    (_, slot: string) => bugs.find((bug) => bug.slot === slot)?.wrong ?? part.right[slot] ?? "",
  );
  const code = bugs.map((bug) => bug.wrong).join();
  const calls = code.includes("CALLS") ? `CALLS = ${code.includes("CALLS.append") ? "[]" : "{}"}\n\n` : "";
  const problem = body.includes("Problem(") ? "from problem import Problem\n\n" : "";
  return `${problem}${calls}\n${body}\n\n\nVERBS = {${part.verbs.map((verb) => `"${verb}": ${verb}`).join(", ")}}\n`.replace(
    /^\n+/,
    "",
  );
}

/** A part's module before anybody wrote it. */
export function stubSource(part: Part): string {
  const functions = part.verbs.map((verb) => `def ${verb}(state, words):\n    raise Problem("not implemented")`);
  return `from problem import Problem\n\n\n${functions.join("\n\n\n")}\n\n\nVERBS = {${part.verbs.map((verb) => `"${verb}": ${verb}`).join(", ")}}\n`;
}

export const problemSource = `class Problem(Exception):
    """A complaint about one line of input."""
`;

/** main.py: sessions, dispatch, complaints, exit status. */
export function mainSource(program: Program): string {
  const names = program.parts.map((part) => part.name);
  return `"""Reads commands from standard input, one a line, and prints what they answer."""

import sys

${names
  .sort()
  .map((name) => `import ${name}`)
  .join("\n")}
from problem import Problem

MODULES = [${names.join(", ")}]


def main():
    states, failed = {}, False
    for raw in sys.stdin:
        line = raw.strip()
        if not line or line.startswith("# "):
            continue
        verb, *words = line.split()
        if verb == "${program.separator}":
            states = {}
            print(line)
            continue
        try:
            for module in MODULES:
                if verb in module.VERBS:
                    for text in module.VERBS[verb](states.setdefault(module.__name__, {}), words):
                        print(text)
                    break
            else:
                raise Problem(f"unknown command {verb}")
        except Problem as problem:
            failed = True
            print(f"error: {problem}")
    return ${program.failureStatus} if failed else 0


if __name__ == "__main__":
    sys.exit(main())
`;
}

export const runnerSource = (folder: string) => `"""Runs the cases beside this file: python3 tests/run.py [name …]"""

import pathlib
import subprocess
import sys

here = pathlib.Path(__file__).parent
failures = 0
for path in sorted((here / "cases").glob("*.txt")):
    if sys.argv[1:] and path.stem not in sys.argv[1:]:
        continue
    given, wanted = path.read_text().split("---- expected\\n")
    command = [sys.executable, str(here.parent / "${folder}" / "main.py")]
    found = subprocess.run(command, input=given, capture_output=True, text=True)
    if found.stdout == wanted:
        print(f"ok      {path.stem}")
        continue
    failures += 1
    print(f"FAILED  {path.stem}")
    for line, (a, b) in enumerate(zip(found.stdout.splitlines() + ["(end)"], wanted.splitlines() + ["(end)"]), 1):
        if a != b:
            print(f"        output line {line}: {a!r} instead of {b!r}")
            break
    if found.stderr:
        print("        " + found.stderr.strip().splitlines()[-1])
print(f"{failures} failed")
sys.exit(1 if failures else 0)
`;
