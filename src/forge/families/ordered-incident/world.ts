import type { Random } from "../../../statistics/index.ts";
import type { Difficulty } from "../family.ts";

export type Event = {
  readonly id: string;
  /** Seconds since 1970, as the host's clock had it. */
  readonly time: number;
  readonly host: string;
  readonly service: string;
  readonly level: "INFO" | "WARN" | "ERROR";
};
export type Retraction =
  | { readonly retraction: number; readonly ids: readonly string[] }
  | { readonly retraction: number; readonly host: string; readonly from: number; readonly until: number }
  | { readonly withdrawn: number };
export type Piece = {
  readonly events: readonly Event[];
  readonly retractions: readonly Retraction[];
  /** A host whose clock was ahead in all pieces before this one. */
  readonly clock: { readonly host: string; readonly ahead: number } | null;
};
export type World = {
  readonly difficulty: Difficulty;
  readonly system: string;
  readonly services: readonly string[];
  readonly pieces: readonly Piece[];
  /** A service that goes by another name in the logs from the second piece on. */
  readonly renamed: { readonly service: string; readonly alias: string } | null;
  readonly format: "json" | "text";
};

export const instant = (time: number): string => new Date(time * 1000).toISOString().replace(".000", "");

/** Draws what happened, which piece of the log tells of it, and what turned out not to be real. */
export function drawWorld(random: Random, difficulty: Difficulty): World {
  const system = random.pick(["the web shop", "the ticket office", "the parcel tracker", "the booking site"]);
  const services = random.sample(
    ["cart", "search", "login", "payment", "mail", "stock", "invoice", "images", "report"],
    4 + (difficulty >> 1),
  );
  const hosts = Array.from(
    { length: 3 + (difficulty >> 1) },
    (_, index) => `${random.pick(["app", "web"])}${index + 1}`,
  );
  // The last service stays without errors.
  const failing = services.slice(0, -1);
  const serials = random.shuffle(Array.from({ length: 8000 }, (_, index) => index + 1000));
  const length = [2, 3, 3, 4, 4][difficulty - 1] as number;
  let clock = Math.floor(Date.UTC(random.integer(2023, 2026), random.integer(0, 11), random.integer(1, 28), 8) / 1000);
  const pieces: Piece[] = [];
  let number = 0;
  for (let index = 0; index < length; index++) {
    const begun = clock;
    const fresh = Array.from({ length: 40 + 8 * difficulty }, (): Event => {
      clock += random.integer(1, 55);
      const isError = random.boolean(0.55);
      return {
        id: `e${serials.pop()}`,
        // What arrives late is older than the piece.
        time: difficulty >= 4 && index > 0 && random.boolean(0.1) ? begun - random.integer(60, 900) : clock,
        host: random.pick(hosts),
        service: random.pick(isError ? failing : services),
        level: isError ? "ERROR" : random.pick(["INFO", "WARN"]),
      };
    });
    const before = pieces.at(-1)?.events ?? [];
    const again = difficulty >= 2 ? before.slice(-random.integer(4, 8)) : [];
    const earlier = pieces.flatMap(({ events }) => events).filter(({ level }) => level === "ERROR");
    const retractions: Retraction[] = [];
    if (index > 0) {
      const ids = random.sample(earlier, random.integer(3, 5)).map(({ id }) => id);
      retractions.push({ retraction: ++number, ids });
    }
    if (index > 0 && difficulty >= 3) {
      const { host, time } = random.pick(earlier);
      const [from, until] = [time - random.integer(100, 400), time + random.integer(100, 400)];
      retractions.push({ retraction: ++number, host, from, until });
    }
    if (index > 1 && difficulty >= 3) {
      const former = (pieces.at(-1) as Piece).retractions.find((entry) => "ids" in entry);
      if (former && "retraction" in former) retractions.push({ withdrawn: former.retraction });
    }
    const ahead = random.integer(2, 40) * 60 + random.integer(1, 59);
    const slow = difficulty === 5 && index === 2 ? { host: random.pick(hosts), ahead } : null;
    pieces.push({ events: [...again, ...fresh], retractions, clock: slow });
  }
  const service = random.pick(failing);
  const renamed = difficulty >= 4 ? { service, alias: `${service}-${random.pick(["v2", "next", "blue"])}` } : null;
  return { difficulty, system, services, pieces, renamed, format: random.pick(["json", "text"]) };
}
