import type { Difficulty } from "../family.ts";
import { type Clause, compareVersions, isRelease, meets, type Version } from "./version.ts";
import type { Need, Package, Release, World } from "./world.ts";

export type Chosen = {
  readonly name: string;
  readonly release: Release;
  /** Active needs by the package that they come to, with their clauses. */
  readonly needs: ReadonlyMap<string, readonly Clause[]>;
};
export type Selection = {
  readonly chosen: ReadonlyMap<string, Chosen>;
  /** By package: the packages whose constraints were set aside. */
  readonly setAside: ReadonlyMap<string, readonly string[]>;
  /** By package: who asked for it, with which clauses; `wanted` is the list itself. */
  readonly askers: ReadonlyMap<string, ReadonlyMap<string, readonly Clause[]>>;
};

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Which package a name comes to. */
function provider(world: World, name: string): string {
  const candidates = world.roles[name];
  if (!candidates) return name;
  return candidates.find((one) => world.wanted.some((entry) => entry.name === one)) ?? (candidates[0] as string);
}

/**
 * The selection, decided package by package in an order in which all that may need a package come before it. `skill`:
 * only the kinds of rules up to that level are known; `bug`: a derivation to get wrong. Null when nothing can be chosen.
 */
export function resolve(world: World, skill: Difficulty = 5, bug: string | null = null): Selection | null {
  const chosen = new Map<string, Chosen>();
  const setAside = new Map<string, string[]>();
  const asked = new Map<string, Map<string, readonly Clause[]>>();
  const ask = (name: string, by: string, clauses: readonly Clause[]) => {
    const place = skill >= 3 ? provider(world, name) : name;
    const askers = asked.get(place) ?? new Map<string, readonly Clause[]>();
    askers.set(by, [...(askers.get(by) ?? []), ...clauses]);
    asked.set(place, askers);
    return place;
  };
  const active = (need: Need, extra: string | null) =>
    (need.extra === null || skill < 2 || need.extra === extra) &&
    (need.platform === null || skill < 3 || bug === "platforms" || need.platform === world.platform);
  for (const { name, clauses } of world.wanted) ask(name, "wanted", clauses);

  for (const entry of world.packages) {
    const askers = asked.get(entry.name);
    if (!askers) continue;
    const { release, aside } = decide(world, entry, askers, skill, bug);
    if (!release) return null;
    if (aside.length > 0) setAside.set(entry.name, aside.sort(byText));
    const extra = world.wanted.find(({ name }) => name === entry.name)?.extra ?? null;
    const needs = new Map<string, Clause[]>();
    for (const need of release.needs)
      if (active(need, extra)) {
        const place = ask(need.name, entry.name, need.clauses);
        needs.set(place, [...(needs.get(place) ?? []), ...need.clauses]);
      }
    chosen.set(entry.name, { name: entry.name, release, needs });
  }
  return { chosen, setAside, askers: asked };
}

function decide(
  world: World,
  entry: Package,
  askers: ReadonlyMap<string, readonly Clause[]>,
  skill: Difficulty,
  bug: string | null,
): { release: Release | undefined; aside: string[] } {
  const newest = [...entry.releases].sort((a, b) => compareVersions(b.version, a.version));
  const kept = new Map(askers);
  const aside: string[] = [];
  for (;;) {
    const clauses = [...kept.values()].flat();
    const fits = (version: Version) => clauses.every((clause) => meets(version, clause));
    const installed = world.installed[entry.name];
    if (skill >= 4 && bug !== "holds" && installed && world.held.includes(entry.name) && fits(installed))
      return { release: entry.releases.find((one) => compareVersions(one.version, installed) === 0), aside };
    const release = newest.find(
      (one) =>
        fits(one.version) &&
        (skill < 2 || ((bug === "withdrawn" || !one.withdrawn) && (bug === "pre-releases" || isRelease(one.version)))),
    );
    const last = [...kept.keys()]
      .filter((name) => name !== "wanted")
      .sort(byText)
      .at(-1);
    if (release || last === undefined) return { release, aside };
    kept.delete(last);
    aside.push(last);
  }
}
