import type { Random } from "../../statistics/index.ts";
import type { Requirement } from "../../tasks/index.ts";

export type Difficulty = 1 | 2 | 3 | 4 | 5;

/** A file of the environment's build context, copied into the working directory. */
export type FixtureFile = { readonly path: string; readonly content: string | Uint8Array; readonly mode?: number };

/** A solution that breaks exactly the requirements it names and keeps the others. */
export type Partial = { readonly name: string; readonly breaks: readonly string[]; readonly script: string };

/**
 * What a family draws from a seed, before it is laid out as a task folder. `expected` is computed from the world as it
 * was drawn, never by running the solution: two routes to one answer.
 */
export type TaskDraft = {
  readonly title: string;
  readonly instruction: string;
  readonly difficulty: Difficulty;
  readonly tags: readonly string[];
  /** Debian packages beyond python3 that the environment needs (installed in the image). */
  readonly packages: readonly string[];
  /** Files under the working directory `/app`, paths relative to it. */
  readonly files: readonly FixtureFile[];
  readonly requirements: readonly Requirement[];
  /** Absolute paths that the agent must leave; carried over to the verifier. */
  readonly artefacts: readonly string[];
  readonly executes: readonly string[];
  /** bash script; its working directory is `/app`. */
  readonly solution: string;
  readonly partials: readonly Partial[];
  /**
   * Python source that defines `def check_R1(v): …` for every requirement; `v` is the harness (`harness/verifier.py`).
   * Data that it compares with is in `expected`, written beside it as `expected.json`.
   */
  readonly checks: string;
  readonly expected: unknown;
  /** More files that only the verifier sees, in `/tests`. */
  readonly verifierFiles?: readonly FixtureFile[];
  /** The steps after the first, which the draft itself is; absent: a task of one step. */
  readonly later?: readonly DraftStep[];
  /** The first step's folder, `01-start` unless given; only with `later`. */
  readonly firstStep?: string;
};

/**
 * A later step of an ordered task. It begins in the tree as the steps before left it, after `arrives` was put there and
 * `setup` was run. Ids of requirements go on counting over the whole task.
 */
export type DraftStep = Pick<
  TaskDraft,
  | "instruction"
  | "requirements"
  | "artefacts"
  | "executes"
  | "solution"
  | "partials"
  | "checks"
  | "expected"
  | "verifierFiles"
> & {
  /** The step's folder, `02-corrections` say. */
  readonly name: string;
  /** Files that are put into `/app` before the step, in place of those of the same name. */
  readonly arrives: readonly FixtureFile[];
  /** bash, run in `/app` as the agent's user once the files have arrived. */
  readonly setup?: string;
};

/** All steps of a task in order; one for a task that isn't ordered. */
export const stepsOf = (draft: TaskDraft): readonly DraftStep[] => [
  { ...draft, name: draft.firstStep ?? "01-start", arrives: [] },
  ...(draft.later ?? []),
];

export interface Family {
  readonly id: string;
  readonly title: string;
  /** A task of this family; the same `random` seed and difficulty give the same draft, byte for byte. */
  draft(random: Random, difficulty: Difficulty): TaskDraft;
  /**
   * Derivations in which a test may plant a bug, by name; `draft` of the family made with such a bug must have an
   * oracle that fails.
   */
  readonly derivations: readonly string[];
  withBug(derivation: string): Family;
  /**
   * The solution of the task that `draft` would give, with the kinds of work of a lower level only: what suffices at
   * `skill` must not suffice at `skill + 2`. At `skill === difficulty` it is the draft's own solution.
   */
  solutionAt?(random: Random, difficulty: Difficulty, skill: Difficulty): string;
}
