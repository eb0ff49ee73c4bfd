import type { Random } from "../../../statistics/index.ts";
import type { Difficulty } from "../family.ts";
import type { Bug } from "./facts.ts";
import type { World } from "./world.ts";

/** One kind of work on the database: what it asks, how it is done, how it is checked. */
export type Work = {
  readonly shape: string;
  /** The lowest difficulty that has it. */
  readonly from: Difficulty;
  /** `file`: a report beside the database; `database`: a change inside it. */
  readonly target: "file" | "database";
  /** Draws the names and paths that this task uses. */
  make(random: Random, world: World): WorkInstance;
};

export type WorkInstance = {
  readonly artefact: string;
  readonly statement: string;
  readonly demand: string;
  readonly format: string;
  readonly derivation: string;
  readonly ordering?: string;
  readonly negatives?: readonly string[];
  readonly check: string;
  /** Python statement for checks.py, with `v` and `wanted`. */
  readonly verify: string;
  /** Python for the solution; `mistaken` is a plausible wrong way. */
  solve(mistaken: boolean): string;
  expected(bug: Bug): unknown;
};
