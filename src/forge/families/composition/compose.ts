import type { Random } from "../../../statistics/index.ts";
import type { Requirement } from "../../../tasks/index.ts";
import type { Difficulty, FixtureFile, Partial, TaskDraft } from "../family.ts";
import { indent, pythonScript } from "./python-script.ts";
import type { Question } from "./question.ts";

export type Composition = {
  /** Draws which of the questions get a partial. */
  readonly random: Random;
  readonly title: string;
  readonly instruction: string;
  readonly difficulty: Difficulty;
  readonly tags: readonly string[];
  readonly packages?: readonly string[];
  readonly files: readonly FixtureFile[];
  /** Python that reads the sources into the names that the questions' solutions use. */
  readonly prelude: string;
  readonly questions: readonly Question[];
  /** A directory or file under /app that must stay as it is; null when the task doesn't ask for that. */
  readonly untouched: string | null;
  /** Shell that spoils `untouched`, run after the whole solution. */
  readonly spoil?: string;
  /** Number of the first requirement's id; 1 unless steps come before. */
  readonly numbersFrom?: number;
};

function requirementOf(question: Question, id: string): Requirement {
  return {
    id,
    statement: question.statement,
    kind: question.kind ?? "positive",
    weight: question.weight ?? 1,
    artefact: question.artefact,
    format: question.format,
    sources: [...question.sources],
    derivation: question.derivation,
    ...(question.ordering === undefined ? {} : { ordering: question.ordering }),
    negatives: [...(question.negatives ?? [])],
    check: "compared with the world as it was drawn",
    shape: question.shape,
  };
}

function untouchedRequirement(path: string, id: string): Requirement {
  return {
    id,
    statement: `${path} is left as it was`,
    kind: "invariant",
    weight: 1,
    artefact: path,
    format: "files",
    sources: [path],
    derivation: "none: it holds before any work",
    negatives: ["a file changed, added or removed"],
    check: "names and bytes compared with the fixtures",
    shape: "inputs-unchanged",
  };
}

/** The solution's program: the prelude, then each question's part. */
export function solutionScript(prelude: string, questions: readonly Question[], wrong?: Question, after = ""): string {
  const parts = questions.map((question) =>
    (question === wrong ? (question.mistake?.solve ?? "") : question.solve).trim(),
  );
  return pythonScript([prelude.trim(), ...parts].join("\n\n"), after);
}

/** A draft from its questions: requirements, solution, partials, checks and expected values in step with each other. */
export function compose(composition: Composition): TaskDraft {
  const { questions, prelude, untouched, numbersFrom = 1 } = composition;
  const idOf = (index: number) => `R${numbersFrom + index}`;
  const mistaken = questions.filter((question) => question.mistake !== undefined);
  const partials: Partial[] = composition.random
    .sample(mistaken, Math.min(2, mistaken.length))
    .map((question) => ({
      name: question.mistake?.name ?? "",
      breaks: [idOf(questions.indexOf(question))],
      script: solutionScript(prelude, questions, question),
    }))
    .sort((a, b) => (a.breaks.join() < b.breaks.join() ? -1 : 1));
  if (untouched !== null && composition.spoil !== undefined)
    partials.push({
      name: "inputs spoiled",
      breaks: [idOf(questions.length)],
      script: solutionScript(prelude, questions, undefined, composition.spoil),
    });
  const checks = questions.map(
    (question, index) =>
      `def check_${idOf(index)}(v):\n    wanted = v.expected["${question.key}"]\n${indent(question.check.trim())}\n`,
  );
  if (untouched !== null)
    checks.push(`def check_${idOf(questions.length)}(v):\n    v.same_as_pristine("${untouched}")\n`);
  return {
    title: composition.title,
    instruction: composition.instruction,
    difficulty: composition.difficulty,
    tags: composition.tags,
    packages: composition.packages ?? [],
    files: composition.files,
    requirements: [
      ...questions.map((question, index) => requirementOf(question, idOf(index))),
      ...(untouched === null ? [] : [untouchedRequirement(untouched, idOf(questions.length))]),
    ],
    artefacts: [...new Set(questions.map((question) => question.artefact)), ...(untouched === null ? [] : [untouched])],
    executes: [],
    solution: solutionScript(prelude, questions),
    partials,
    checks: checks.join("\n\n"),
    expected: Object.fromEntries(questions.map((question) => [question.key, question.expected])),
  };
}
