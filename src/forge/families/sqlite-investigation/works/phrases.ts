import { isoDay } from "../dates.ts";
import type { World } from "../world.ts";

export const period = (world: World) => `${isoDay(world.from)} to ${isoDay(world.to)}, both days included`;

export const counting = (world: World) => `${world.theme.entries} that count (see the notes)`;
