import type { Difficulty } from "../family.ts";
import { type Chosen, resolve, type Selection } from "./resolve.ts";
import { compareVersions, isRelease, meets, versionText } from "./version.ts";
import type { Package, World } from "./world.ts";

export const derivations = ["withdrawn", "pre-releases", "platforms", "holds"] as const;
export const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

export type Facts = {
  readonly world: World;
  readonly selection: Selection;
  /** Selected packages by name. */
  readonly selected: readonly Chosen[];
  readonly order: readonly string[];
  /** `after` that had to be left out of account, as [package, the one it should follow]. */
  readonly ignored: readonly (readonly [string, string])[];
  readonly waves: readonly (readonly string[])[];
  readonly orphans: readonly string[];
  readonly heldBack: Readonly<Record<string, { chosen: string; newest: string; by: readonly string[] }>>;
};

/** One after the other: what all needs and `after` allow, else what the needs allow; ties go to the smaller name. */
export function installOrder(world: World, selected: readonly Chosen[], useAfter = true) {
  const left = new Map(selected.map((one) => [one.name, one]));
  const order: string[] = [];
  const ignored: [string, string][] = [];
  const after = (name: string) =>
    useAfter ? (world.packages.find((one) => one.name === name) as Package).after.filter((one) => left.has(one)) : [];
  while (left.size > 0) {
    const ready = [...left.values()].filter((one) => [...one.needs.keys()].every((name) => !left.has(name)));
    const names = ready.map((one) => one.name).sort(byText);
    const next = names.find((name) => after(name).length === 0) ?? (names[0] as string);
    for (const other of after(next)) ignored.push([next, other]);
    order.push(next);
    left.delete(next);
  }
  return { order, ignored };
}

/** Installed packages that aren't selected; what another of them needs comes after it. */
function removalOrder(world: World, selection: Selection): string[] {
  const orphans = new Set(Object.keys(world.installed).filter((name) => !selection.chosen.has(name)));
  const needs = new Map(
    [...orphans].map((name) => {
      const entry = world.packages.find((one) => one.name === name) as Package;
      const release = entry.releases.find((one) => compareVersions(one.version, world.installed[name]!) === 0);
      return [name, new Set(release?.needs.map((need) => need.name))] as const;
    }),
  );
  const order: string[] = [];
  while (orphans.size > 0) {
    const free = [...orphans].filter((name) => ![...orphans].some((other) => needs.get(other)?.has(name)));
    const next = free.sort(byText)[0] as string;
    order.push(next);
    orphans.delete(next);
  }
  return order;
}

export function deriveFacts(world: World, bug: string | null): Facts | null {
  const selection = resolve(world, 5, bug);
  if (!selection) return null;
  const selected = [...selection.chosen.values()].sort((a, b) => byText(a.name, b.name));
  const depth = new Map<string, number>();
  for (const { name } of [...world.packages].reverse()) {
    const one = selection.chosen.get(name);
    if (one) depth.set(name, 1 + Math.max(-1, ...[...one.needs.keys()].map((need) => depth.get(need) as number)));
  }
  const waves: string[][] = Array.from({ length: 1 + Math.max(...depth.values()) }, () => []);
  for (const { name } of selected) waves[depth.get(name) as number]?.push(name);
  const heldBack: Record<string, { chosen: string; newest: string; by: string[] }> = {};
  for (const { name, release } of selected) {
    const entry = world.packages.find((one) => one.name === name) as Package;
    const offered = entry.releases.filter((one) => isRelease(one.version) && !one.withdrawn);
    const newest = offered.sort((a, b) => compareVersions(b.version, a.version))[0];
    if (!newest || compareVersions(newest.version, release.version) <= 0) continue;
    const aside = selection.setAside.get(name) ?? [];
    const by = [...(selection.askers.get(name) ?? [])]
      .filter(([asker, clauses]) => !aside.includes(asker) && !clauses.every((clause) => meets(newest.version, clause)))
      .map(([asker]) => asker)
      .sort(byText);
    heldBack[name] = { chosen: versionText(release.version), newest: versionText(newest.version), by };
  }
  const orphans = removalOrder(world, selection);
  return { world, selection, selected, ...installOrder(world, selected), waves, orphans, heldBack };
}

const lockText = (selection: Selection | null) =>
  JSON.stringify(
    [...(selection?.chosen.values() ?? [])].map(({ name, release }) => [name, versionText(release.version)]),
  );

/** True of worlds in which every kind of work of the level decides something, and no question is trivial. */
export function isSound(world: World, facts: Facts): boolean {
  const { difficulty } = world;
  if (facts.selection.setAside.size > 0 !== difficulty >= 5) return false;
  if (difficulty >= 4 && facts.ignored.length === 0) return false;
  const { selected, order, orphans, heldBack, waves } = facts;
  const plain = installOrder(world, selected, false).order;
  const held = Object.keys(heldBack).length;
  const unchanged = selected.filter(
    ({ name, release }) => world.installed[name] && compareVersions(world.installed[name], release.version) === 0,
  );
  const asksEnough =
    selected.length >= 8 &&
    waves.length >= 3 &&
    plain.join() !== order.join() &&
    orphans.length >= 2 &&
    [...orphans].sort(byText).join() !== orphans.join() &&
    held >= 1 &&
    held < selected.length &&
    unchanged.length >= 1;
  if (!asksEnough) return false;
  const lock = lockText(facts.selection);
  const weaker = ([1, 2, 3] as Difficulty[]).filter((skill) => skill < difficulty);
  const without = (skill: Difficulty, bug: string | null) => lockText(resolve(world, skill, bug));
  if (weaker.some((skill) => without(skill, null) === lock)) return false;
  return difficulty < 5 || derivations.every((bug) => without(5, bug) !== lock);
}
