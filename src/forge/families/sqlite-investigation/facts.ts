import type { World } from "./world.ts";

export type Derivation = "soft-deletes" | "period-end";
export type Bug = Derivation | null;

export type Fact = {
  party: string;
  name: string;
  group: string;
  category: string;
  cents: number;
  day: number;
  source: "current" | "legacy";
  ref: string;
};

/** Every entry that counts: not deleted, its party known and not deleted, no legacy row that was moved already. */
export function countingFacts(world: World, bug: Bug): Fact[] {
  const known = (key: "id" | "code", value: string | number) =>
    world.parties.find((party) => party[key] === value && (bug === "soft-deletes" || !party.removed));
  const facts: Fact[] = [];
  for (const { party: id, category, cents, day, removed, id: number } of world.entries) {
    const party = known("id", id);
    if (party && !removed)
      facts.push({
        party: party.code,
        name: party.name,
        group: party.group,
        category,
        cents,
        day,
        source: "current",
        ref: String(number),
      });
  }
  for (const row of world.legacy) {
    const party = known("code", row.code);
    if (party && !row.void && row.movedTo === null)
      facts.push({
        party: party.code,
        name: party.name,
        group: party.group,
        category: row.category,
        cents: row.cents,
        day: row.day,
        source: "legacy",
        ref: row.ref,
      });
  }
  return facts;
}

export const factsInPeriod = (world: World, bug: Bug) =>
  countingFacts(world, bug).filter(
    ({ day }) => day >= world.from && (bug === "period-end" ? day < world.to : day <= world.to),
  );
