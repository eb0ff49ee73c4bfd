import type { Random } from "../../../statistics/index.ts";
import type { Difficulty } from "../family.ts";
import { dateOf, dayMinutes, dayOf, weekdayOf } from "./clock.ts";
import { drawCron, type Rule } from "./rule.ts";
import { WallClock, type Zone } from "./zone.ts";
import { drawZones } from "./zones.ts";

export type Job = {
  readonly name: string;
  readonly zone: Zone;
  readonly host: string;
  readonly minutes: number;
  readonly rule: Rule;
};
export type Holiday = { readonly zone: Zone; readonly day: number; readonly name: string };
export type Ticket = {
  readonly id: string;
  readonly zone: Zone;
  readonly opened: number;
  readonly minutes: number;
};
/** What happens on one local date of a job in place of its rule; null: nothing. */
export type Exception = { readonly job: string; readonly day: number; readonly minute: number | null };
export type Window = { readonly from: number; readonly to: number; readonly policy: "drop" | "defer" };

export type World = {
  readonly difficulty: Difficulty;
  readonly root: string;
  readonly year: number;
  /** First and last instant (exclusive) of what is asked about. */
  readonly from: number;
  readonly to: number;
  readonly zones: readonly Zone[];
  readonly holidays: readonly Holiday[];
  readonly jobs: readonly Job[];
  readonly windows: readonly Window[];
  readonly exceptions: readonly Exception[];
  readonly tickets: readonly Ticket[];
  readonly gapPolicy: "skip" | "after" | "shift";
  readonly overlapPolicy: "first" | "second" | "both";
};

const tasks = "backup rotate sync report billing index digest cleanup audit export mirror archive refresh scan".split(
  " ",
);
const feasts = ["Founders' Day", "Harvest", "Day of the Sea", "Union Day", "Spring Feast", "Remembrance"];

function drawHolidays(random: Random, zones: readonly Zone[], first: number): Holiday[] {
  return zones.flatMap((zone) => {
    const days = Array.from({ length: 18 }, (_, index) => first + 2 + index);
    const working = days.filter((day) => !zone.weekend.includes(weekdayOf(day)));
    return random.sample(working, 2).map((day) => ({ zone, day, name: random.pick(feasts) }));
  });
}

/** Wall times that a zone's clock leaves out or shows twice within the days asked about. */
function oddMinute(zone: Zone, year: number, from: number, to: number): number | null {
  const change = new WallClock(zone, year).transitions.find(({ at }) => from < at && at < to);
  if (change === undefined) return null;
  const start = change.at + Math.min(change.before, change.after);
  return (((start + 15) % dayMinutes) + dayMinutes) % dayMinutes;
}

function drawRules(random: Random, world: Pick<World, "difficulty" | "zones" | "year" | "from" | "to">) {
  const { difficulty, zones } = world;
  const [north, south, fixed] = zones as [Zone, Zone, Zone];
  const minute = () => random.integer(0, 287) * 5;
  const any = () => random.pick(zones);
  const rules: { zone: Zone; rule: Rule }[] = [
    { zone: any(), rule: { kind: "daily", minute: minute() } },
    { zone: fixed, rule: { kind: "daily", minute: minute() } },
    { zone: any(), rule: { kind: "weekly", weekdays: random.sample([1, 2, 3, 4, 5, 6], 2).sort(), minute: minute() } },
    { zone: any(), rule: { kind: "every", hours: random.pick([7, 9, 10]), minute: random.integer(0, 40) * 5 } },
  ];
  if (difficulty >= 2)
    rules.push(
      { zone: north, rule: { kind: "workdays", minute: minute() } },
      { zone: any(), rule: { kind: "workdays", minute: minute() } },
      { zone: any(), rule: { kind: "monthly", date: random.pick([30, 31, "last"] as const), minute: minute() } },
      { zone: south, rule: { kind: "monthly", date: "last workday", minute: minute() } },
    );
  for (const zone of [north, south]) {
    const odd = oddMinute(zone, world.year, world.from, world.to);
    if (odd !== null) rules.push({ zone, rule: { kind: "daily", minute: odd } });
  }
  if (difficulty >= 4)
    rules.push({ zone: any(), rule: drawCron(random, true) }, { zone: any(), rule: drawCron(random, false) });
  return rules;
}

function drawTickets(random: Random, zones: readonly Zone[], from: number): Ticket[] {
  const first = random.integer(1000, 8000);
  return Array.from({ length: 7 }, (_, index) => ({
    id: `T-${first + index * random.integer(1, 9) + index}`,
    zone: random.pick(zones),
    opened: from + random.integer(0, 9 * dayMinutes),
    minutes: random.integer(4, 110) * 15,
  }));
}

export function drawWorld(random: Random, difficulty: Difficulty): World {
  const spring = random.boolean();
  const year = random.integer(2023, 2031);
  const month = difficulty <= 2 ? 2 : spring ? 3 : 10;
  const from = dayOf(year, month, 17 + random.integer(0, 2)) * dayMinutes;
  const to = from + 22 * dayMinutes;
  const zones = drawZones(random.fork("zones"), { difficulty, year, spring, from });
  const rules = drawRules(random.fork("rules"), { difficulty, zones, year, from, to });
  const names = random.sample(tasks, rules.length);
  const hosts = random.sample(["anvil", "birch", "cedar", "delta", "ember"], 2);
  const jobs = rules.map(({ zone, rule }, index) => ({
    name: `${names[index]}-${zone.name.slice(0, 3).toLowerCase()}`,
    zone,
    rule,
    host: random.pick(hosts),
    minutes: random.integer(2, 30) * 5,
  }));
  const first = from / dayMinutes;
  const exceptions: Exception[] =
    difficulty < 5
      ? []
      : jobs.slice(0, 2).flatMap((job, index) =>
          random.sample([5, 8, 12, 14, 17], 2).map((after, turn) => ({
            job: job.name,
            day: first + after,
            minute: index === turn ? null : random.integer(0, 95) * 15 + 7,
          })),
        );
  // One window over the second job's start on some day, one over the fourth's.
  const windows: Window[] =
    difficulty < 4
      ? []
      : [jobs[1], jobs[3]].map((job, index) => {
          const rule = job?.rule as Rule & { minute: number };
          const start = (first + 3 + index * 12) * dayMinutes + rule.minute - (job?.zone.standard ?? 0);
          const opens = start - random.integer(65, 100);
          return { from: opens, to: start + random.integer(65, 190), policy: index === 0 ? "defer" : "drop" };
        });
  return {
    difficulty,
    root: random.pick(["ops", "scheduler", "planning", "jobs", "dispatch"]),
    year: dateOf(first).year,
    from,
    to,
    zones,
    holidays: difficulty >= 2 ? drawHolidays(random.fork("holidays"), zones, first) : [],
    jobs,
    windows,
    exceptions,
    tickets: difficulty >= 2 ? drawTickets(random.fork("tickets"), zones, from) : [],
    gapPolicy: random.pick(["skip", "after", "shift"] as const),
    overlapPolicy: random.pick(["first", "second", "both"] as const),
  };
}
