import type { Random } from "../../../statistics/index.ts";

/** A setting of the service: section, key, text. */
export type Setting = { readonly section: string; readonly key: string; readonly value: string };

/** A setting that can be wrong, and a plausible wrong text. */
export type Target = { readonly section: string; readonly key: string; readonly wrong: string };

export type Derivation = "size-units" | "level-order";
export type Bug = Derivation | null;

/**
 * One ability of a service: the settings that it reads, what it answers by them, and what can be wrong. `answer` is the
 * meaning of the wanted settings in TypeScript.
 */
export type Feature = {
  readonly name: string;
  readonly shape: string;
  /** The settings as they should take effect. */
  readonly wanted: readonly Setting[];
  readonly targets: readonly Target[];
  /** What has to hold, for the instruction. */
  readonly demand: string;
  /** The chapter of the service's manual. */
  readonly manual: string;
  /** Python: entries of SCHEMA, lines of the start-up check, the verbs' methods. */
  readonly schema: string;
  readonly startup?: string;
  readonly python: string;
  readonly verbs: Readonly<Record<string, string>>;
  readonly probes: readonly string[];
  answer(probe: string, bug: Bug): string;
  /** A secret that the feature reads from a file. */
  readonly secret?: { readonly file: string; readonly text: string; readonly old: string };
};
export type MakeFeature = (random: Random) => Feature;

export const settings = (section: string, values: Record<string, string>): Setting[] =>
  Object.entries(values).map(([key, value]) => ({ section, key, value }));
