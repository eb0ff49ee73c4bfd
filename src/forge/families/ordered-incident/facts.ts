import { type Event, instant, type World } from "./world.ts";

/** Derivations in which a bug can be planted. */
export const derivations = ["earlier-pieces", "withdrawals", "repeated-events", "clock"] as const;

/** What is known when a piece has been worked in. */
export type Known = {
  /** Errors by time, then id, with the number of the retraction that took them out. */
  readonly timeline: readonly { readonly event: Event; readonly retraction: number | null }[];
  readonly counts: Readonly<Record<string, number>>;
  readonly peak: { readonly piece: number; readonly minute: string; readonly errors: number };
  /** The lines that the running notes get. */
  readonly notes: readonly string[];
};

/** What is known piece by piece, from the world as it was drawn; `bug` names a derivation to get wrong. */
export function deriveKnown(world: World, bug: string | null): Known[] {
  const events = new Map<string, Event>();
  const gone = new Map<string, number>();
  return world.pieces.map((piece, index) => {
    if (piece.clock !== null && bug !== "clock")
      for (const event of events.values())
        if (event.host === piece.clock.host) events.set(event.id, { ...event, time: event.time - piece.clock.ahead });
    const errors = piece.events.filter(({ level }) => level === "ERROR");
    const known = new Set(bug === "earlier-pieces" ? [] : events.keys());
    const fresh = errors.filter(({ id }) => !events.has(id) || bug === "repeated-events").length;
    for (const event of errors) if (!events.has(event.id)) events.set(event.id, event);
    for (const { id } of errors) known.add(id);

    for (const entry of piece.retractions) {
      if ("withdrawn" in entry) {
        for (const [id, number] of [...gone]) if (number === entry.withdrawn && bug !== "withdrawals") gone.delete(id);
        continue;
      }
      const isMeant = (event: Event) =>
        "ids" in entry
          ? entry.ids.includes(event.id)
          : event.host === entry.host && event.time >= entry.from && event.time < entry.until;
      for (const event of events.values())
        if (known.has(event.id) && isMeant(event) && !gone.has(event.id)) gone.set(event.id, entry.retraction);
    }

    const timeline = [...events.values()]
      .sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1))
      .map((event) => ({ event, retraction: gone.get(event.id) ?? null }));
    const counted = timeline.filter(({ retraction }) => retraction === null).map(({ event }) => event);
    const counts = Object.fromEntries(
      world.services.map((service) => [service, counted.filter((event) => event.service === service).length]),
    );
    const minutes = new Map<string, number>();
    for (const { time } of counted) {
      const minute = instant(time).slice(0, 16);
      minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
    }
    const [top] = [...minutes].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)) as [[string, number]];
    const place = index + 1;
    return {
      timeline,
      counts,
      peak: { piece: place, minute: top[0], errors: top[1] },
      notes: [
        `piece ${place}: ${fresh} new errors, ${counted.length} counted, ${gone.size} retracted`,
        ...(world.difficulty >= 3
          ? [`piece ${place}: ${instant(counted[0]?.time ?? 0)} to ${instant(counted.at(-1)?.time ?? 0)}`]
          : []),
      ],
    };
  });
}
