import type { Random } from "../../../statistics/index.ts";
import type { Difficulty } from "../family.ts";
import type { Slots } from "./makefile.ts";
import type { Inputs, Names } from "./project.ts";

/** A step of what the verifier does in a copy of the project, and what has to come of it. */
export type Step =
  /** `@` in an argument is the copy's directory. */
  | { readonly do: "make"; readonly args: readonly string[]; readonly wanted: boolean }
  | { readonly do: "write"; readonly path: string; readonly text: string }
  | { readonly do: "read"; readonly path: string; readonly wanted: string | null }
  /** Files below the project except the sources. */
  | { readonly do: "made"; readonly wanted: readonly string[] }
  /** Forgets what was rebuilt so far. */
  | { readonly do: "note" }
  /** Which of these files are other than when they were noted, by time. */
  | { readonly do: "rebuilt"; readonly paths: readonly string[]; readonly wanted: readonly string[] }
  | { readonly do: "members"; readonly path: string; readonly wanted: readonly (readonly [string, number, number])[] }
  /** Whether the file has the bytes that it had when it was last asked about. */
  | { readonly do: "same"; readonly path: string; readonly wanted: boolean | null };

export type Setting = {
  readonly random: Random;
  readonly names: Names;
  readonly held: Inputs;
  readonly bug: string | null;
};

/** One thing that a build has to do, and how a Makefile fails at it. */
export type Feature = {
  readonly id: string;
  readonly level: Difficulty;
  readonly shape: string;
  /** What has to hold; also the paragraph of BUILDING.md. */
  readonly rule: string;
  /** What people noticed. */
  readonly complaint: string;
  /** The spoilt pieces. */
  readonly wrong: Partial<Slots>;
  /** Pieces that are right in another way than usual. */
  readonly right?: Partial<Slots>;
  /** Features whose faults this one hides, or whose checks would fail along with it. */
  readonly clashes?: readonly string[];
  readonly steps: readonly Step[];
};
export type MakeFeature = (setting: Setting) => Feature;
