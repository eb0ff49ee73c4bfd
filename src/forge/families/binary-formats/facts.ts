import { type Encoded, encodeCapture } from "./encode.ts";
import { missing, modes } from "./format.ts";
import { type Capture, type Entry, epochOf, type World } from "./world.ts";

/** Derivations in which a bug can be planted. */
export const derivations = ["damaged-records", "calibration", "sent-again", "withdrawn"] as const;
export const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

export type Reading = {
  readonly capture: Capture;
  readonly entry: Entry;
  readonly offset: number;
  readonly size: number;
  /** Seconds since 1970. */
  readonly time: number;
  readonly channel: string;
  readonly value: number | null;
};
export type Facts = {
  readonly world: World;
  readonly encoded: ReadonlyMap<Capture, Encoded>;
  /** Every sound record, in the order of reading. */
  readonly sound: readonly Reading[];
  readonly damaged: readonly Reading[];
  /** What counts as a measurement, by device's name and number of the record. */
  readonly readings: readonly Reading[];
};

export function deriveFacts(world: World, bug: string | null): Facts {
  const { format } = world;
  const encoded = new Map(world.captures.map((capture) => [capture, encodeCapture(format, capture)]));
  const all = world.captures.flatMap((capture) =>
    capture.entries.map((entry): Reading => {
      const place = encoded.get(capture)?.places.get(entry) as { offset: number; size: number };
      return {
        capture,
        entry,
        ...place,
        time: epochOf(format) / 1000 + capture.base + entry.seconds,
        channel: capture.channels[entry.channel] as string,
        value: entry.value === missing ? null : entry.value,
      };
    }),
  );
  const sound = all.filter(({ entry }) => entry.damage === null || bug === "damaged-records");
  const last = new Map<string, Reading>();
  for (const reading of sound) {
    const key = `${reading.capture.device.name}/${reading.entry.sequence}`;
    if (bug === "sent-again" && last.has(key) && reading.entry.mode !== modes.withdrawn) continue;
    last.set(key, reading);
  }
  const refused: number[] = [
    ...(bug === "calibration" ? [] : [modes.calibration]),
    ...(bug === "withdrawn" ? [] : [modes.withdrawn]),
  ];
  const readings = [...last.values()]
    .filter(({ entry }) => !refused.includes(entry.mode))
    .sort((a, b) => byText(a.capture.device.name, b.capture.device.name) || a.entry.sequence - b.entry.sequence);
  return { world, encoded, sound, damaged: all.filter(({ entry }) => entry.damage !== null), readings };
}

export const isoTime = (seconds: number) => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
