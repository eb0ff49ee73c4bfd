import type { Commit, World } from "./world.ts";

export const derivations = ["mailmap", "co-authors", "copies", "lost-commits"] as const;
export const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

export type Facts = {
  readonly world: World;
  /** Name, address and commits of each contributor, most first. */
  readonly contributors: readonly (readonly [string, string, string])[];
  reachable(from: readonly string[]): Set<string>;
};

export function deriveFacts(world: World, bug: string | null): Facts {
  const reachable = (from: readonly string[]) => {
    const found = new Set<string>();
    const queue = [...from];
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
      if (found.has(id)) continue;
      found.add(id);
      queue.push(...(world.commits.get(id) as Commit).parents);
    }
    return found;
  };
  const tips = [...Object.values(world.branches), ...world.tags.map(({ commit }) => commit)];
  const counted = bug === "lost-commits" ? [...world.commits.keys()] : [...reachable(tips)];
  const counts = new Map(world.people.map((person) => [person, 0]));
  for (const id of counted) {
    const { parents, author, coAuthor, copyOf } = world.commits.get(id) as Commit;
    if (parents.length > 1 || (copyOf !== null && bug !== "copies")) continue;
    for (const person of [author, ...(coAuthor && bug !== "co-authors" ? [coAuthor] : [])])
      counts.set(person, (counts.get(person) as number) + 1);
  }
  const contributors = [...counts]
    .filter(([, count]) => count > 0)
    .sort(([a, m], [b, n]) => n - m || byText(a.name, b.name))
    .map(([{ name, email, aliases }, count]) => {
      const shown =
        bug === "mailmap" && aliases.length > 0 ? (aliases[0] as { name: string; email: string }) : { name, email };
      return [shown.name, shown.email, String(count)] as const;
    });
  return { world, contributors, reachable };
}
