import { resolve } from "node:path";
import { ConfigError } from "../../contract/index.ts";
import { type Difficulty, type ForgeInput, families, familyNamed, loadFamilies } from "../../forge/index.ts";
import { budgetFor } from "../../setter/index.ts";
import { type ForgeRunInput, forgeCommandFlow } from "../flows/forge-flow.ts";
import { type CommonOptions, wholeNumber } from "../project.ts";
import { startCommand } from "../start-command.ts";
import type { SandboxOptions } from "../workshop.ts";

export type ForgeOptions = CommonOptions &
  SandboxOptions & {
    author: ForgeInput["author"];
    count: string;
    family: string[];
    difficulty: string[];
    out?: string;
    limit?: string;
    repeats: string;
    families?: string;
  };

export const forge = (options: ForgeOptions): Promise<void> =>
  startCommand("forge", options, forgeCommandFlow, ({ stored }) => forgeInput(options, stored), "continue");

export async function forgeInput(options: ForgeOptions, stored: (path: string) => string): Promise<ForgeRunInput> {
  const own = options.families === undefined ? null : await loadFamilies(resolve(options.families));
  const known = [...families, ...(own?.families ?? [])];
  const goal = wholeNumber("--count", options.count, 1);
  const limit = options.limit === undefined ? undefined : wholeNumber("--limit", options.limit, 1);
  return {
    author: options.author,
    seed: wholeNumber("--seed", options.seed),
    families: (options.family.length > 0
      ? options.family.map((id) => familyNamed(id, known))
      : (own?.families ?? known)
    ).map(({ id }) => id),
    difficulties: options.difficulty.length > 0 ? options.difficulty.map(difficultyOf) : [1, 2, 3, 4, 5],
    goal,
    maximumCandidates: budgetFor(goal, 1, limit).maximumCandidates,
    repeats: wholeNumber("--repeats", options.repeats, 1),
    out: options.out === undefined ? "tasks" : stored(options.out),
    ownFamilies: own && { path: stored(options.families as string), digest: own.digest },
    backend: options.backend ?? null,
    builder: options.builder ?? null,
  };
}

function difficultyOf(text: string): Difficulty {
  const value = Number(text);
  if (value === 1 || value === 2 || value === 3 || value === 4 || value === 5) return value;
  throw new ConfigError({ code: "bad_option", message: `--difficulty must be 1 to 5, not "${text}"` });
}
