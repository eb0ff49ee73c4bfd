import type { Random } from "../../../statistics/index.ts";

/** What a session remembers; a new one begins empty. */
// biome-ignore lint/suspicious/noExplicitAny: each part keeps what it likes under its own name
export type State = Record<string, any>;

/** The value kept under a name, made when it isn't there yet. */
export function remembered<T>(state: State, name: string, make: () => T): T {
  state[name] ??= make();
  return state[name];
}

/** A complaint of the program: printed as `error: …`, the session goes on. */
export class Complaint extends Error {}

/**
 * A planted bug. 1: a visible test shows it; 2: it lives in state that outlasts a session or a change; 3: only the
 * specification tells.
 */
export type PlantedBug = {
  readonly level: 1 | 2 | 3;
  readonly kind: string;
  readonly slot: string;
  readonly wrong: string;
};

/**
 * A component of a program: one module with its verbs, its chapter of the specification, its meaning in TypeScript and
 * the bugs that can be planted in it. `python` holds `§slot§` marks; `right` has the code for each.
 */
export type Part = {
  readonly name: string;
  readonly shape: string;
  readonly verbs: readonly string[];
  readonly specification: string;
  readonly python: string;
  readonly right: Readonly<Record<string, string>>;
  readonly bugs: readonly PlantedBug[];
  /** `twisted`: the meaning with the first bug of level 3 in place. */
  answer(state: State, verb: string, words: readonly string[], twisted: boolean): string[];
  /** Sessions of input lines; `edge` ones show the bugs of level 3, others don't. */
  sessions(random: Random, edge: boolean): string[][];
};
export type MakePart = (random: Random) => Part;

export const floorDivide = (a: number, b: number) => Math.floor(a / b);
export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
