import type { Random } from "../../../statistics/index.ts";
import type { Difficulty } from "../family.ts";
import { drawFormat, type Format, missing, modes } from "./format.ts";

export type Entry = {
  readonly sequence: number;
  /** After the base time of the file. */
  readonly seconds: number;
  readonly channel: number;
  readonly value: number;
  readonly quality: number;
  readonly battery: boolean;
  readonly mode: number;
  /** The byte of the record that was altered, and how. */
  readonly damage: { readonly place: number; readonly bits: number } | null;
  /** Bytes before the record that belong to none. */
  readonly junk: Uint8Array;
};
export type Device = { readonly number: number; readonly name: string; readonly renumbered: number };
export type Capture = {
  readonly file: string;
  readonly device: Device;
  readonly version: 1 | 2;
  readonly bigEndian: boolean;
  /** Seconds since the epoch of the format. */
  readonly base: number;
  readonly channels: readonly string[];
  readonly entries: readonly Entry[];
};
export type World = {
  readonly format: Format;
  readonly devices: readonly Device[];
  /** By name, the order of reading. */
  readonly captures: readonly Capture[];
};

const channelNames = "inlet outlet pressure humidity flow depth wind torque current level density light".split(" ");
const places = "north-pier quarry weir tunnel-4 roof-east pump-house silo-2 mast lock-gate boiler".split(" ");

function drawEntries(random: Random, difficulty: Difficulty, first: number, channels: number): Entry[] {
  const entries: Entry[] = [];
  let [sequence, seconds] = [first, random.integer(0, 90)];
  const count = random.integer(13, 19);
  const calibrations = random.sample([...Array(count).keys()], 2);
  const damaged = random.sample([...Array(count).keys()], 3).slice(0, random.integer(2, 3));
  for (let index = 0; index < count; index++) {
    entries.push({
      sequence,
      seconds,
      channel: random.integer(0, channels - 1),
      value: difficulty >= 2 && random.boolean(0.1) ? missing : random.integer(-4000, 9000),
      quality: random.integer(0, 7),
      battery: random.boolean(0.3),
      mode:
        difficulty >= 2 && calibrations.includes(index)
          ? modes.calibration
          : random.boolean(0.2)
            ? modes.manual
            : modes.measured,
      damage:
        difficulty >= 3 && damaged.includes(index)
          ? { place: random.integer(0, 1000), bits: random.integer(1, 255) }
          : null,
      junk: new Uint8Array(0),
    });
    sequence += random.boolean(0.15) ? random.integer(2, 4) : 1;
    seconds += random.integer(20, 900);
  }
  return entries;
}

/** Records of `earlier` that are sent again with other values, or withdrawn. */
function repeated(random: Random, earlier: readonly Entry[], entries: readonly Entry[]): Entry[] {
  const sound = earlier.filter((one) => one.damage === null && one.mode !== modes.calibration && one.value !== missing);
  const result = [...entries];
  random.sample(sound, 4).forEach((original, index) => {
    const at = random.integer(1, result.length - 1);
    const seconds = (result[at] as Entry).seconds - random.integer(0, 10);
    const mode = index < 2 ? modes.measured : modes.withdrawn;
    result.splice(at, 0, { ...original, seconds: Math.max(0, seconds), value: original.value + 7 + index, mode });
  });
  return result;
}

function drawJunk(random: Random, format: Format): Uint8Array {
  const bytes = Array.from({ length: random.integer(2, 9) }, () => random.integer(0, 255));
  return Uint8Array.from(random.boolean(0.4) ? [...format.marker, ...bytes] : bytes);
}

export function drawWorld(random: Random, difficulty: Difficulty): World {
  const format = drawFormat(random.fork("format"), difficulty);
  const names = random.sample(places, 3);
  const numbers = random.sample([...Array(180).keys()], 3);
  const devices = names.map((name, index) => ({
    number: (numbers[index] as number) + 20,
    name,
    renumbered: 4000 + (numbers[index] as number) * 3 + index,
  }));
  const channels = random.sample(channelNames, 5);
  const start = Math.floor((Date.UTC(2024, random.integer(0, 11), random.integer(1, 28)) - epochOf(format)) / 1000);
  const owners = random.shuffle([0, 1, 2]);
  const order = difficulty >= 3 ? [...owners, owners[0] as number] : [...owners.slice(0, 2), owners[0] as number];
  const earlier = new Map<number, readonly Entry[]>();
  const captures = order.map((owner, index): Capture => {
    const own = random.fork(`capture ${index}`);
    const before = earlier.get(owner);
    const first = before === undefined ? own.integer(1, 400) : (before.at(-1) as Entry).sequence + own.integer(1, 3);
    let entries = drawEntries(own, difficulty, first, 4);
    if (before !== undefined && difficulty >= 5) entries = repeated(own, before, entries);
    if (difficulty >= 5)
      entries = entries.map((entry) => (own.boolean(0.25) ? { ...entry, junk: drawJunk(own, format) } : entry));
    earlier.set(owner, entries);
    return {
      file: `${String(index + 1).padStart(3, "0")}-${own.pick(["card", "unit", "slot", "dump"])}.${format.extension}`,
      device: devices[owner] as Device,
      version: difficulty >= 4 && index % 2 === 1 ? 2 : 1,
      bigEndian: difficulty >= 3 ? index % 3 === 0 : format.bigEndian,
      base: start + index * 43200 + own.integer(0, 3600),
      channels: difficulty >= 2 ? own.shuffle(channels) : channels,
      entries,
    };
  });
  return { format, devices, captures };
}

/** The moment from which the format counts, in milliseconds. */
export const epochOf = (format: Format) => Date.UTC(format.epochYear, 0, 1);
