import type { Random } from "../../../statistics/index.ts";
import type { Difficulty } from "../family.ts";
import { type Clause, drawClauses, drawVersions, type Version } from "./version.ts";

export type Need = {
  /** A package, or a role that the alternatives file maps to packages. */
  readonly name: string;
  readonly clauses: readonly Clause[];
  readonly extra: string | null;
  readonly platform: string | null;
};
export type Release = {
  readonly version: Version;
  readonly withdrawn: boolean;
  readonly needs: readonly Need[];
  readonly kilobytes: number;
  readonly minutes: number;
};
export type Package = {
  readonly name: string;
  readonly releases: readonly Release[];
  readonly after: readonly string[];
};
export type Wanted = { readonly name: string; readonly clauses: readonly Clause[]; readonly extra: string | null };

export type World = {
  readonly difficulty: Difficulty;
  /** Packages in an order in which each needs later ones only, by name. */
  readonly packages: readonly Package[];
  readonly wanted: readonly Wanted[];
  readonly roles: Readonly<Record<string, readonly string[]>>;
  readonly platform: string;
  readonly installed: Readonly<Record<string, Version>>;
  readonly held: readonly string[];
};

const names =
  "anvil basalt cargo dynamo ermine fathom gimbal harrow isobar jetty kelvin lattice mangle nimbus oriel pylon quorum rivet sextant tarpon umbra vellum wicket xylem yarrow zinc barque cinder dovetail esker flint gantry".split(
    " ",
  );
/** Packages at the top that only an older installation needed. */
const leftovers = 3;
const roles = ["mail-agent", "key-store", "log-sink", "clock-source", "cache-layer"];
const extras = ["tls", "metrics", "cluster", "docs"];
const platforms = ["linux", "freebsd", "darwin"];

/** Draws an index of packages in which the anchors, one release of each, meet every constraint. */
export function drawWorld(random: Random, difficulty: Difficulty): World {
  const count = 14 + difficulty + random.integer(0, 3);
  const chosen = random.sample(names, count);
  // The first packages are leftovers that nothing asks for; the alphabetically later one needs the other.
  if ((chosen[0] as string) < (chosen[1] as string)) chosen.unshift(...chosen.splice(0, 2).reverse());
  const platform = random.pick(platforms);
  const plans = chosen.map((name, index) => {
    const draw = random.fork(`versions ${index}`);
    const versions = drawVersions(draw, draw.integer(3, 6));
    const at = draw.integer(0, versions.length - 1);
    if (difficulty >= 5 && at > 0 && draw.boolean(0.4))
      for (let i = at; i < versions.length; i++) {
        const drop = (versions[at] as Version).numbers[0] as number;
        const old = versions[i] as Version;
        versions[i] = { ...old, epoch: 1, numbers: [(old.numbers[0] as number) - drop, ...old.numbers.slice(1)] };
      }
    return { name, versions, at };
  });
  const role = random.sample(roles, 2);
  const [late1, late2] = [count - 1, count - 3];
  const provided: Record<string, string[]> =
    difficulty >= 3
      ? {
          [role[0] as string]: [chosen[late1] as string, chosen[late1 - 1] as string],
          [role[1] as string]: [chosen[late2] as string, chosen[late2 - 1] as string],
        }
      : {};
  const firstProvider = difficulty >= 3 ? count - 4 : count;

  const needsOf = (draw: Random, index: number): Need[] => {
    const found: Need[] = [];
    const targets = plans.slice(Math.max(leftovers, index + 1), index + 7);
    const drawn = draw.sample(targets, Math.min(targets.length, draw.integer(1, 3)));
    if (index === 0) drawn.unshift(plans[1] as (typeof plans)[number]);
    for (const target of drawn) {
      const at = plans.indexOf(target);
      const clauses = drawClauses(draw, target.versions, target.at, difficulty >= 2);
      const extra = difficulty >= 2 && index < leftovers + 4 && draw.boolean(0.3) ? draw.pick(extras) : null;
      const elsewhere = difficulty >= 3 && extra === null && draw.boolean(0.35) ? draw.pick(platforms) : null;
      if (at >= firstProvider && draw.boolean(0.5)) {
        const name = Object.keys(provided).find((key) => provided[key]?.includes(target.name)) as string;
        found.push({ name, clauses: [], extra: null, platform: null });
      } else found.push({ name: target.name, clauses, extra, platform: elsewhere });
    }
    const seen = new Set<string>();
    return found.filter(({ name }) => !seen.has(name) && seen.add(name));
  };

  const packages = plans.map(({ name, versions, at }, index): Package => {
    const draw = random.fork(`package ${index}`);
    const releases: Release[] = [];
    let needs = needsOf(draw, index);
    for (const [position, version] of versions.entries()) {
      if (position > 0 && draw.boolean(0.5)) needs = needsOf(draw, index);
      const withdrawn = difficulty >= 2 && position !== at && draw.boolean(0.35);
      const size = { kilobytes: draw.integer(40, 9000), minutes: draw.integer(1, 40) };
      releases.push({ version, withdrawn, needs, ...size });
      if (difficulty >= 2 && draw.boolean(0.3)) {
        const [major, minor] = version.numbers as [number, number];
        const next: Version = { epoch: version.epoch, numbers: [major, minor, 50], pre: draw.integer(1, 3) };
        releases.push({ version: next, withdrawn: false, needs, ...size, kilobytes: size.kilobytes + 7 });
      }
    }
    const others = difficulty >= 4 ? chosen.filter((other) => other !== name) : chosen.slice(index + 1);
    const after = draw.boolean(0.7) ? draw.sample(others, Math.min(others.length, draw.integer(1, 2))) : [];
    return { name, releases, after };
  });

  const draw = random.fork("project");
  const wanted = draw.sample([0, 1, 2, 3], draw.integer(2, 3)).map((offset): Wanted => {
    const { name, versions, at } = plans[leftovers + offset] as (typeof plans)[number];
    const offered = (packages[leftovers + offset] as Package).releases.flatMap((one) =>
      one.needs.flatMap((need) => need.extra ?? []),
    );
    const extra = offered.length > 0 && draw.boolean(0.6) ? (offered[0] as string) : null;
    return { name, clauses: draw.boolean(0.7) ? drawClauses(draw, versions, at, difficulty >= 2) : [], extra };
  });
  const installed: Record<string, Version> = {};
  for (const [index, { name, versions }] of plans.entries())
    if (index < 2 || draw.boolean(0.6)) installed[name] = draw.pick(versions);
  const behind = plans.slice(leftovers).filter(({ versions, at }) => at < versions.length - 1);
  const frozen = difficulty >= 4 ? draw.sample(behind, Math.min(4, behind.length)) : [];
  for (const { name, versions, at } of frozen) installed[name] = versions[at] as Version;
  const held = frozen.map(({ name }) => name);
  const world = { difficulty, packages, wanted, roles: provided, platform, installed, held: held.sort() };
  return difficulty >= 5 ? withConflict(random.fork("conflict"), world, plans) : world;
}

/** Lets two packages ask for releases of a third that exclude each other. */
function withConflict(random: Random, world: World, plans: readonly { name: string; versions: Version[] }[]): World {
  const packages = world.packages.map((entry) => {
    if (!random.boolean(0.6)) return entry;
    return {
      ...entry,
      releases: entry.releases.map((one) => ({
        ...one,
        needs: one.needs.map((need) => {
          const target = plans.find(({ name }) => name === need.name);
          if (!target || need.extra || !random.boolean(0.4)) return need;
          const version = random.boolean() ? (target.versions[0] as Version) : (target.versions.at(-1) as Version);
          return { ...need, clauses: [{ operator: "=" as const, version }] };
        }),
      })),
    };
  });
  return { ...world, packages };
}
