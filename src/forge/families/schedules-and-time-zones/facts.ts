import { dayMinutes, weekdayOf } from "./clock.ts";
import { startsOn } from "./rule.ts";
import type { Job, World } from "./world.ts";
import { WallClock, type Zone } from "./zone.ts";

/** Derivations in which a bug can be planted. */
export const derivations = ["holidays", "summer-time", "either-field", "windows", "exceptions"] as const;
export const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

export type Run = { readonly job: Job; readonly start: number; readonly offset: number };
/** A time by a rule that the wall leaves out (0) or shows twice (2). */
export type OddTime = { readonly job: Job; readonly wall: number; readonly times: number };
export type Facts = {
  readonly world: World;
  readonly clocks: ReadonlyMap<Zone, WallClock>;
  readonly isWorkday: (zone: Zone, day: number) => boolean;
  /** By start, then by name. */
  readonly runs: readonly Run[];
  readonly odd: readonly OddTime[];
};

function startsOf(world: World, clock: WallClock, wall: number): number[] {
  const found = clock.instantsOf(wall);
  if (found.length > 1)
    return world.overlapPolicy === "both" ? found : [found[world.overlapPolicy === "first" ? 0 : 1] as number];
  if (found.length === 1) return found;
  const gap = clock.gapAt(wall);
  if (gap === undefined || world.gapPolicy === "skip") return [];
  return [world.gapPolicy === "after" ? gap.at : wall - gap.before];
}

export function deriveFacts(world: World, bug: string | null): Facts {
  const plain = (zone: Zone) => (bug === "summer-time" ? { ...zone, summer: null } : zone);
  const clocks = new Map(world.zones.map((zone) => [zone, new WallClock(plain(zone), world.year)]));
  const closed = new Set(world.holidays.map(({ zone, day }) => `${zone.name} ${day}`));
  const isWorkday = (zone: Zone, day: number) =>
    !zone.weekend.includes(weekdayOf(day)) && (bug === "holidays" || !closed.has(`${zone.name} ${day}`));
  const windows = bug === "windows" ? [] : world.windows;
  const exceptions = new Map(world.exceptions.map((one) => [`${one.job} ${one.day}`, one]));
  const runs = new Map<string, Run>();
  const odd: OddTime[] = [];
  const [first, last] = [world.from / dayMinutes - 2, world.to / dayMinutes + 2];
  for (const job of world.jobs) {
    const clock = clocks.get(job.zone) as WallClock;
    for (let day = first; day < last; day++) {
      const exception = bug === "exceptions" ? undefined : exceptions.get(`${job.name} ${day}`);
      const minutes =
        exception === undefined
          ? startsOn(job.rule, day, (other) => isWorkday(job.zone, other), bug)
          : exception.minute === null
            ? []
            : [exception.minute];
      for (const minute of minutes) {
        const wall = day * dayMinutes + minute;
        const times = clock.instantsOf(wall).length;
        if (times !== 1) odd.push({ job, wall, times });
        for (const planned of startsOf(world, clock, wall)) {
          const window = windows.find(({ from, to }) => from <= planned && planned < to);
          if (window?.policy === "drop") continue;
          const start = window?.to ?? planned;
          if (start >= world.from && start < world.to)
            runs.set(`${job.name} ${start}`, { job, start, offset: clock.offsetAt(start) });
        }
      }
    }
  }
  return {
    world,
    clocks,
    isWorkday,
    runs: [...runs.values()].sort((a, b) => a.start - b.start || byText(a.job.name, b.job.name)),
    odd: odd.sort((a, b) => byText(a.job.name, b.job.name) || a.wall - b.wall),
  };
}

const signature = ({ runs }: Facts) => runs.map(({ job, start }) => `${job.name} ${start}`).join();

/** True of worlds in which every kind of work of the level decides something. */
export function isSound(facts: Facts): boolean {
  const { difficulty } = facts.world;
  const decisive = derivations.filter((_, index) => index + 2 <= difficulty || difficulty === 5);
  const right = signature(facts);
  const matters = (bug: string) => signature(deriveFacts(facts.world, bug)) !== right;
  return (difficulty < 3 || facts.odd.length >= 2) && (difficulty === 1 || decisive.every(matters));
}
