import type { Random } from "../../../statistics/index.ts";
import type { Requirement } from "../../../tasks/index.ts";
import type { Difficulty, Family, FixtureFile, Partial as PartialSolution, TaskDraft } from "../family.ts";
import { checksSource } from "./checks.ts";
import { drawFaults, type Fault, skillFor } from "./faults.ts";
import type { Part } from "./part.ts";
import {
  answers,
  drawProgram,
  mainSource,
  moduleSource,
  type Program,
  problemSource,
  runnerSource,
  stubSource,
} from "./program.ts";
import { type Edit, solutionScript } from "./solution.ts";
import { writeInstruction, writeSpecification } from "./text.ts";

type Bug = "boundary-rules" | "session-reset" | null;
type Case = { readonly name: string; readonly input: readonly string[]; readonly output: readonly string[] };

const joined = (program: Program, sessions: readonly (readonly string[])[], label: string) =>
  sessions.flatMap((lines, i) => (i === 0 ? lines : [`${program.separator} ${label} ${i + 1}`, ...lines]));

function drawCases(
  random: Random,
  program: Program,
  faults: readonly Fault[],
): { cases: Case[]; contradicting: string[] } {
  const cases: Case[] = [];
  const contradicting: string[] = [];
  let number = random.integer(1, 9);
  const add = (part: Part, sessions: string[][], twisted: boolean) => {
    const input = joined(program, sessions, "again");
    const output = answers(program, input, new Set(twisted ? [part] : [])).output;
    if (twisted && output.join() === answers(program, input).output.join()) return;
    number += random.integer(1, 3);
    const name = `${String(number).padStart(2, "0")}-${part.name}`;
    cases.push({ name, input, output });
    if (twisted) contradicting.push(name);
  };
  const misleading = faults.find((fault) => fault.kind === "misleading")?.part;
  for (const part of random.shuffle(program.parts)) {
    add(part, part.sessions(random, false), false);
    add(part, part.sessions(random, false).slice(0, 2), false);
    if (part === misleading) add(part, part.sessions(random, true), true);
  }
  return { cases, contradicting };
}

/** What the verifier feeds in for each part, and what has to come out. */
function drawHidden(random: Random, program: Program, bug: Bug) {
  const heard = bug === "session-reset" ? { ...program, separator: "\u0000" } : program;
  return program.parts.map((part) => {
    const input = joined(program, [...part.sessions(random, true), ...part.sessions(random, false)], part.name);
    const wanted = answers(program, input, new Set(bug === "boundary-rules" ? [part] : [])).output;
    const output = bug === "session-reset" ? answers(heard, input).output : wanted;
    return { label: part.name, input, output };
  });
}

type FaultEdit = { readonly fault: Fault; readonly level: Difficulty; readonly edit: Edit };

function edits(faults: readonly Fault[], folder: string): FaultEdit[] {
  return faults.flatMap((fault): FaultEdit[] => {
    const file = `/app/${folder}/${fault.part.name}.py`;
    if (fault.kind === "missing") return [{ fault, level: 4, edit: { file, whole: moduleSource(fault.part, []) } }];
    return fault.bugs.map((bug) => ({
      fault,
      level: skillFor(fault, bug),
      edit: { file, old: bug.wrong, new: fault.part.right[bug.slot] ?? "" },
    }));
  });
}

/** Draws a task; `skill` below `level` gives the solution that would do at that lower level. */
export function draftProgram(random: Random, level: Difficulty, bug: Bug, skill: Difficulty = level): TaskDraft {
  const program = drawProgram(random.fork("program"));
  const faults = drawFaults(random.fork("faults"), program.parts, level);
  const { cases, contradicting } = drawCases(random.fork("cases"), program, faults);
  const hidden = drawHidden(random.fork("hidden"), program, bug);
  const choices = random.fork("choices");
  const { folder } = program;
  const healthy = program.parts.filter((part) => !faults.some((fault) => fault.part === part));
  const status = level >= 3 && level <= 4 && faults.length <= 3 && choices.boolean(0.5);
  const specification = `/app/${choices.pick(["SPEC.md", "docs/specification.md", "docs/reference.md", "SPECIFICATION.md"])}`;
  const list = `/app/${choices.pick(["contradictions.txt", "wrong-cases.txt", "disputed.txt"])}`;
  const statusBug = {
    right: `return ${program.failureStatus} if failed else 0`,
    wrong: choices.pick([
      `return ${program.failureStatus} if not failed else 0`,
      "return 1 if failed else 0",
      "return 0",
    ]),
  };

  const requirements: Requirement[] = [];
  const next = (
    fields: Pick<Requirement, "statement" | "kind" | "artefact" | "shape" | "check" | "format">,
  ): string => {
    const id = `R${requirements.length + 1}`;
    requirements.push({
      id,
      weight: 1,
      sources: [specification],
      derivation: "the meaning of the specification",
      negatives: [],
      ...fields,
    });
    return id;
  };
  const artefact = `/app/${folder}`;
  const hiddenOf = (part: Part) => hidden.find(({ label }) => label === part.name) as (typeof hidden)[number];
  const rows: Record<string, unknown> = {};
  const plan: { id: string; check: "outputs" | "status" | "list" | "kept" }[] = [];
  const owners = new Map<Fault | "status" | "list", string>();
  for (const fault of faults) {
    const id = next({
      statement: `${fault.part.verbs.join(" and ")} answer as the chapter "${fault.part.name}" of ${specification} says`,
      kind: "positive",
      artefact,
      shape: fault.part.shape,
      format: "lines on standard output",
      check: "the program is run on hidden sessions and its output compared",
    });
    rows[id] = [hiddenOf(fault.part)];
    plan.push({ id, check: "outputs" });
    owners.set(fault, id);
  }
  if (status) {
    const id = next({
      statement: `the exit status is ${program.failureStatus} after an error and 0 otherwise`,
      kind: "positive",
      artefact,
      shape: "exit-status",
      format: "exit status",
      check: "the program is run with and without an error",
    });
    rows[id] = ["nosuch 1\n", program.failureStatus, "# nothing\n"];
    plan.push({ id, check: "status" });
    owners.set("status", id);
  }
  if (contradicting.length > 0) {
    const id = next({
      statement: `${list} names the cases that contradict the specification`,
      kind: "positive",
      artefact: list,
      shape: "contradiction-list",
      format: "text, one name a line",
      check: "lines compared",
    });
    rows[id] = [list, [...contradicting].sort()];
    plan.push({ id, check: "list" });
    owners.set("list", id);
  }
  if (healthy.length > 0) {
    const id = next({
      statement: "commands that were right still answer as specified",
      kind: "invariant",
      artefact: "/app/tests",
      shape: "behaviour-kept",
      format: "lines on standard output",
      check: "the program is run on hidden sessions and its output compared; the tests are unchanged",
    });
    rows[id] = healthy.map(hiddenOf);
    plan.push({ id, check: "kept" });
  }

  const all = edits(faults, folder);
  const main: Edit = { file: `${artefact}/main.py`, old: statusBug.wrong, new: statusBug.right };
  const script = (leave: Fault | "status" | "list" | null, only: Difficulty = level) => {
    const half =
      leave !== null && typeof leave === "object" && leave.bugs.length === 2
        ? all.find(({ fault }) => fault === leave)
        : undefined;
    const done = all
      .filter((entry) => entry.level <= only && (entry.fault !== leave || (half !== undefined && entry !== half)))
      .map(({ edit }) => edit);
    const names =
      leave === "list"
        ? cases
            .map(({ name }) => name)
            .filter((name) => !contradicting.includes(name))
            .slice(0, 1)
        : contradicting;
    return solutionScript(
      [...done, ...(status && leave !== "status" && only >= 3 ? [main] : [])],
      contradicting.length > 0 && only >= 5 ? { path: list, names } : null,
    );
  };
  const targets = choices.sample([...owners.keys()], 2);
  const partials: PartialSolution[] = targets.map((target) => ({
    name: typeof target === "string" ? `without-${target}` : `without-${target.part.name}`,
    breaks: [owners.get(target) as string],
    script: script(target),
  }));
  const files: FixtureFile[] = [
    {
      path: `${folder}/main.py`,
      content: status ? mainSource(program).replace(statusBug.right, statusBug.wrong) : mainSource(program),
    },
    { path: `${folder}/problem.py`, content: problemSource },
    ...program.parts.map((part) => {
      const fault = faults.find((candidate) => candidate.part === part);
      return {
        path: `${folder}/${part.name}.py`,
        content: fault?.kind === "missing" ? stubSource(part) : moduleSource(part, fault?.bugs ?? []),
      };
    }),
    {
      path: specification.slice("/app/".length),
      content: writeSpecification(random.fork("specification"), program, specification),
    },
    { path: "tests/run.py", content: runnerSource(folder) },
    ...cases.map(({ name, input, output }) => ({
      path: `tests/cases/${name}.txt`,
      content: `${input.join("\n")}\n---- expected\n${output.join("\n")}\n`,
    })),
  ];
  return {
    title: `${folder}: repair ${faults.map((fault) => fault.part.name).join(", ")}`,
    instruction: writeInstruction(random.fork("letter"), program, faults, level, { specification, list, status }),
    difficulty: level,
    tags: ["python", "debugging", folder],
    packages: [],
    files,
    requirements,
    artefacts: [artefact, "/app/tests", ...(contradicting.length > 0 ? [list] : [])],
    executes: [artefact],
    solution: script(null, skill),
    partials,
    checks: checksSource(plan, `${artefact}/main.py`, program.separator),
    expected: { rows },
  };
}

const family = (bug: Bug): Family => ({
  id: "failing-program",
  title: "Repairing a program that fails its tests",
  draft: (random, difficulty) => draftProgram(random, difficulty, bug),
  derivations: ["boundary-rules", "session-reset"],
  withBug: (derivation) => family(derivation as Bug),
  solutionAt: (random, difficulty, skill) => draftProgram(random, difficulty, bug, skill).solution,
});

/** Small programs with planted bugs, a specification and tests that show some of them. */
export const failingProgram: Family = family(null);
