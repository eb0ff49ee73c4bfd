import { dayMinutes, dayOf, lastDateOf, weekdayOf } from "./clock.ts";

/** A Sunday on which the clocks change; -1 is the last of the month. */
export type Change = {
  readonly nth: 1 | 2 | -1;
  readonly month: number;
  readonly minute: number;
  readonly clock: "local" | "UTC";
};
export type Zone = {
  readonly name: string;
  /** Minutes that the wall clock is ahead of UTC. */
  readonly standard: number;
  readonly summer: { readonly save: number; readonly begins: Change; readonly ends: Change } | null;
  /** From this instant the offset is another, for good. */
  readonly moved: { readonly at: number; readonly offset: number } | null;
  readonly weekend: readonly number[];
  readonly opens: number;
  readonly closes: number;
};
export type Transition = { readonly at: number; readonly before: number; readonly after: number };

function instantOf(change: Change, year: number, before: number): number {
  const first = dayOf(year, change.month, 1);
  const sunday = first + ((7 - weekdayOf(first)) % 7);
  const last = first + lastDateOf(year, change.month) - 1;
  const day = change.nth === -1 ? last - weekdayOf(last) : sunday + 7 * (change.nth - 1);
  return day * dayMinutes + change.minute - (change.clock === "local" ? before : 0);
}

/** Every change of the offset in a year, in order. */
export function transitionsOf({ standard, summer, moved }: Zone, year: number): Transition[] {
  const changes: Transition[] = [];
  if (summer !== null) {
    const ahead = standard + summer.save;
    changes.push(
      { at: instantOf(summer.begins, year, standard), before: standard, after: ahead },
      { at: instantOf(summer.ends, year, ahead), before: ahead, after: standard },
    );
    changes.sort((a, b) => a.at - b.at);
  }
  if (moved === null) return changes;
  const earlier = changes.filter(({ at }) => at < moved.at);
  const before = earlier.at(-1)?.after ?? changes[0]?.before ?? standard;
  return [...earlier, { at: moved.at, before, after: moved.offset }];
}

/** A zone in one year, ready to convert. */
export class WallClock {
  readonly transitions: readonly Transition[];
  readonly #first: number;

  constructor(zone: Zone, year: number) {
    this.transitions = transitionsOf(zone, year);
    this.#first = this.transitions[0]?.before ?? zone.standard;
  }

  offsetAt(instant: number): number {
    let offset = this.#first;
    for (const { at, after } of this.transitions) if (instant >= at) offset = after;
    return offset;
  }

  /** The instants at which the wall shows this time: none in a gap, two in an overlap. */
  instantsOf(wall: number): number[] {
    const offsets = new Set([this.#first, ...this.transitions.map(({ after }) => after)]);
    return [...offsets]
      .map((offset) => wall - offset)
      .filter((instant) => this.offsetAt(instant) === wall - instant)
      .sort((a, b) => a - b);
  }

  /** The change that leaves this time out. */
  gapAt(wall: number): Transition | undefined {
    return this.transitions.find(({ at, before, after }) => at + before <= wall && wall < at + after);
  }
}
