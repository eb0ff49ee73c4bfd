import type { Random } from "../../../statistics/index.ts";
import type { Difficulty } from "../family.ts";

export const fieldNames = ["sequence", "seconds", "value", "channel", "status"] as const;
export type FieldName = (typeof fieldNames)[number];
export const fieldSizes: Readonly<Record<FieldName, number>> = {
  sequence: 4,
  seconds: 4,
  value: 2,
  channel: 1,
  status: 1,
};
export const headerSize = 28;
/** A value that was not measured. */
export const missing = -32768;
/** Modes in the status byte; calibration and withdrawn records are no measurements. */
export const modes = { measured: 0, calibration: 1, manual: 2, withdrawn: 3 } as const;

/** How the recorder writes its files; drawn anew for every task. */
export type Format = {
  readonly difficulty: Difficulty;
  readonly root: string;
  readonly folder: string;
  readonly extension: string;
  readonly magic: string;
  readonly epochYear: number;
  readonly bigEndian: boolean;
  readonly fields: readonly FieldName[];
  readonly decimals: 1 | 2;
  readonly marker: readonly [number, number];
  readonly check: "sum" | "fletcher" | "crc";
  /** Where the parts of the status byte begin: quality (3 bits), battery (1), mode (2). */
  readonly shifts: { readonly quality: number; readonly battery: number; readonly mode: number };
};

const layouts = [
  { quality: 0, battery: 3, mode: 4 },
  { mode: 0, quality: 2, battery: 7 },
  { battery: 0, mode: 1, quality: 5 },
  { quality: 1, mode: 4, battery: 6 },
] as const;

export function drawFormat(random: Random, difficulty: Difficulty): Format {
  return {
    difficulty,
    root: random.pick(["recorder", "telemetry", "logger", "archive", "station"]),
    folder: random.pick(["captures", "dumps", "raw", "cards"]),
    extension: random.pick(["rec", "dat", "bin", "trk"]),
    magic: random.pick(["RLOG", "SNSR", "FLDR", "MTRX", "OBSV"]),
    epochYear: random.pick([1980, 1990, 2000, 2010]),
    bigEndian: random.boolean(),
    fields: random.shuffle(fieldNames),
    decimals: random.pick([1, 2] as const),
    marker: random.pick([
      [0xa5, 0x5a],
      [0xeb, 0x90],
      [0xfe, 0xca],
    ] as const),
    check: random.pick(["sum", "fletcher", "crc"] as const),
    shifts: random.pick(layouts),
  };
}
