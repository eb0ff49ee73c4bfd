import type { Leaf } from "./leaves.ts";
import type { World } from "./world.ts";

export type Facts = {
  readonly world: World;
  /** What can be had whole, sorted by path, with the first container (by name) that yields it. */
  readonly recovered: readonly { readonly leaf: Leaf; readonly container: string }[];
  /** Paths of the catalogue that can't, sorted. */
  readonly lost: readonly string[];
};

/** Derivations in which a bug can be planted. */
export const derivations = ["altered-copies", "cut-off-members", "headless-members"] as const;

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** What is true of the world as it was drawn; `bug` names a derivation to get wrong. */
export function deriveFacts(world: World, bug: string | null): Facts {
  const accepted = new Set<string>(["intact"]);
  if (bug === "altered-copies") accepted.add("altered");
  if (bug === "cut-off-members") accepted.add("cut-off");
  if (bug === "headless-members") accepted.add("headless");
  const containers = new Map<string, string[]>();
  for (const { leaf, container, fate } of world.placements)
    if (accepted.has(fate)) containers.set(leaf.path, [...(containers.get(leaf.path) ?? []), container]);
  const leaves = [...world.leaves].sort((a, b) => byText(a.path, b.path));
  return {
    world,
    recovered: leaves.flatMap((leaf) => {
      const [container] = (containers.get(leaf.path) ?? []).sort(byText);
      return container === undefined ? [] : [{ leaf, container }];
    }),
    lost: leaves.filter((leaf) => !containers.has(leaf.path)).map((leaf) => leaf.path),
  };
}
