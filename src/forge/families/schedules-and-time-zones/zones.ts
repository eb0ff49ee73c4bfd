import type { Random } from "../../../statistics/index.ts";
import type { Difficulty } from "../family.ts";
import { dayMinutes } from "./clock.ts";
import type { Change, Zone } from "./zone.ts";

const names = "Harbour Plateau Island Delta Meridian Lagoon Summit Prairie Fjord Savanna".split(" ");

export type ZoneDraw = {
  readonly difficulty: Difficulty;
  readonly year: number;
  readonly spring: boolean;
  readonly from: number;
};

/** Two zones that change their clocks within the days asked about, in opposite senses, and one that does not. */
export function drawZones(random: Random, { difficulty, spring, from }: ZoneDraw): Zone[] {
  const [north, south, fixed] = random.sample(names, 3) as [string, string, string];
  const hours = (minimum: number, maximum: number) => random.integer(minimum, maximum) * 60;
  const changing = difficulty >= 3;
  const now = (minute: number): Change =>
    random.boolean()
      ? { nth: -1, month: spring ? 3 : 10, minute, clock: "local" }
      : { nth: 1, month: spring ? 4 : 11, minute, clock: random.pick(["local", "UTC"] as const) };
  const later = (minute: number): Change => ({
    nth: random.pick([1, 2, -1] as const),
    month: spring ? random.pick([9, 10]) : random.pick([3, 4]),
    minute,
    clock: "local",
  });
  const northSummer = { save: 60, begins: spring ? now(120) : later(120), ends: spring ? later(180) : now(180) };
  const southSummer = {
    save: random.pick([30, 60]),
    begins: spring ? later(120) : now(120),
    ends: spring ? now(180) : later(180),
  };
  const common = () => ({
    weekend: [0, 6],
    opens: random.pick([480, 510, 540]),
    closes: random.pick([990, 1020, 1050]),
    moved: null,
  });
  const still = random.pick([-570, -210, 330, 345, 525, 240]);
  const day = from + random.integer(9, 13) * dayMinutes;
  return [
    { name: north, standard: hours(-6, 3), summer: changing ? northSummer : null, ...common() },
    { name: south, standard: hours(6, 11) + random.pick([0, 30]), summer: changing ? southSummer : null, ...common() },
    {
      name: fixed,
      standard: still,
      summer: null,
      ...common(),
      weekend: difficulty >= 2 ? [5, 6] : [0, 6],
      moved: difficulty >= 5 ? { at: day - still, offset: still + random.pick([-60, 30, 90]) } : null,
    },
  ];
}
