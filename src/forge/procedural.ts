import { ConfigError } from "../contract/index.ts";
import type { Candidate } from "../setter/index.ts";
import { Random } from "../statistics/index.ts";
import { families as builtIn, type Difficulty, type Family, layoutTask, type TaskFolder } from "./families/index.ts";

/** What a procedural candidate is drawn from: enough to draw it again, byte for byte. */
export type ProceduralDesign = { family: string; difficulty: Difficulty; seed: number; index: number; slug: string };

export type ProceduralPlan = {
  readonly seed: number;
  readonly families: readonly string[];
  readonly difficulties: readonly Difficulty[];
};

/** The author that needs no model and no network: families take turns, difficulties run through each of them. */
export function proceduralCandidate(
  index: number,
  plan: ProceduralPlan,
  known: readonly Family[] = builtIn,
): Candidate<ProceduralDesign> {
  const family = plan.families[index % plan.families.length] as string;
  const turn = Math.floor(index / plan.families.length);
  const difficulty = plan.difficulties[turn % plan.difficulties.length] as Difficulty;
  const { slug, distinctness } = drawTask({ family, difficulty, seed: plan.seed, index }, known);
  return { index, key: distinctness, design: { family, difficulty, seed: plan.seed, index, slug } };
}

/** The whole task folder of a design; `known` are the families that it may be of. */
export function drawTask(design: Omit<ProceduralDesign, "slug">, known: readonly Family[] = builtIn): TaskFolder {
  const family = familyNamed(design.family, known);
  const random = new Random(`forge/${design.seed}/${design.family}/${design.difficulty}/${design.index}`);
  return layoutTask(family, family.draft(random, design.difficulty), { seed: design.seed, index: design.index });
}

/** Errors: ConfigError (`unknown_family`). */
export function familyNamed(id: string, known: readonly Family[] = builtIn): Family {
  const family = known.find((candidate) => candidate.id === id);
  if (family !== undefined) return family;
  throw new ConfigError({
    code: "unknown_family",
    message: `there is no skill family "${id}"`,
    remedy: `take one of ${known.map((candidate) => candidate.id).join(", ")}`,
  });
}
