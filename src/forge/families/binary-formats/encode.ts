import { concat, crc32, utf8 } from "../encoding/index.ts";
import { type Format, fieldSizes, headerSize } from "./format.ts";
import type { Capture, Entry } from "./world.ts";

/** A whole number of `size` bytes, two's complement, in either byte order. */
export function integer(value: number, size: number, bigEndian: boolean): Uint8Array {
  const unsigned = value < 0 ? value + 2 ** (8 * size) : value;
  const bytes = Uint8Array.from({ length: size }, (_, index) => Math.floor(unsigned / 256 ** index) % 256);
  return bigEndian ? bytes.reverse() : bytes;
}

export function checkValue(kind: Format["check"], bytes: Uint8Array): number {
  if (kind === "sum") return bytes.reduce((sum, byte) => (sum + byte) % 65536, 0);
  if (kind === "fletcher") {
    let [low, high] = [0, 0];
    for (const byte of bytes) {
      low = (low + byte) % 255;
      high = (high + low) % 255;
    }
    return high * 256 + low;
  }
  let value = 0xffff;
  for (const byte of bytes) {
    value ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) value = value & 0x8000 ? ((value << 1) ^ 0x1021) & 0xffff : value << 1;
  }
  return value;
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push(128 + (rest % 128));
  return [...bytes, rest];
}

export const statusByte = ({ shifts, difficulty }: Format, entry: Entry) =>
  difficulty === 1
    ? entry.quality
    : (entry.quality << shifts.quality) | (Number(entry.battery) << shifts.battery) | (entry.mode << shifts.mode);

/** The bytes of a record, padding included, damaged where it is meant to be. */
function recordBytes(format: Format, { version, bigEndian }: Capture, entry: Entry): Uint8Array {
  const numbers = { ...entry, status: statusByte(format, entry) };
  const body =
    version === 1
      ? concat(format.fields.map((name) => integer(numbers[name], fieldSizes[name], bigEndian)))
      : Uint8Array.from([
          ...varint(entry.sequence),
          ...varint(entry.seconds),
          entry.channel,
          numbers.status,
          ...varint(entry.value < 0 ? -2 * entry.value - 1 : 2 * entry.value),
        ]);
  const marker = format.difficulty >= 5 ? format.marker : [];
  const checked = Uint8Array.from([...marker, ...(version === 2 ? [body.length] : []), ...body]);
  const check = format.difficulty >= 3 ? integer(checkValue(format.check, checked), 2, bigEndian) : [];
  const bytes = [...checked, ...check];
  if (entry.damage !== null) {
    const from = bytes.length - check.length - body.length;
    const at = from + (entry.damage.place % (body.length + check.length));
    bytes[at] = (bytes[at] as number) ^ entry.damage.bits;
  }
  while (version === 2 && bytes.length % 4 !== 0) bytes.push(0);
  return Uint8Array.from(bytes);
}

/** A header; its last four bytes are the CRC-32 of the others where the format has one. */
export function headerBytes(format: Format, capture: Capture, device: number, records: number, strings: number) {
  const { bigEndian } = capture;
  const head = concat([
    utf8(format.magic),
    integer(format.difficulty >= 3 ? 0x0102 : 0, 2, bigEndian),
    integer(capture.version, 2, bigEndian),
    ...[device, capture.base, records, strings].map((value) => integer(value, 4, bigEndian)),
  ]);
  return concat([head, integer(format.difficulty >= 3 ? crc32(head) : 0, 4, bigEndian)]);
}

export type Encoded = {
  readonly bytes: Uint8Array;
  /** Where each entry's record begins, and how long it is. */
  readonly places: ReadonlyMap<Entry, { readonly offset: number; readonly size: number }>;
  readonly strings: number;
};

export function encodeCapture(format: Format, capture: Capture): Encoded {
  const places = new Map<Entry, { offset: number; size: number }>();
  const parts: Uint8Array[] = [];
  let offset = headerSize;
  for (const entry of capture.entries) {
    const bytes = recordBytes(format, capture, entry);
    parts.push(entry.junk, bytes);
    places.set(entry, { offset: offset + entry.junk.length, size: bytes.length });
    offset += entry.junk.length + bytes.length;
  }
  const strings = format.difficulty >= 2 ? offset : 0;
  if (strings > 0) {
    parts.push(Uint8Array.from([capture.channels.length]));
    for (const name of capture.channels) parts.push(Uint8Array.from([name.length]), utf8(name));
  }
  const header = headerBytes(format, capture, capture.device.number, capture.entries.length, strings);
  return { bytes: concat([header, ...parts]), places, strings };
}
