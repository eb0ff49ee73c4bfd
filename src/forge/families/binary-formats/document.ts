import { fieldSizes, missing } from "./format.ts";
import type { World } from "./world.ts";

const checks = {
  sum: "the sum of the bytes, modulo 65536",
  fletcher:
    "Fletcher's: `a` and `b` begin at 0; for each byte `a = (a + byte) mod 255`, then `b = (b + a) mod 255`; the result is `256 * b + a`",
  crc: "CRC-16 with polynomial 0x1021, start value 0xFFFF, most significant bit first, nothing reflected or inverted at the end (CCITT-FALSE)",
};
const hex = (value: number) => value.toString(16).toUpperCase().padStart(2, "0");

/** The description of the format that the agent works from. */
export function formatDocument({ format }: World): string {
  const { difficulty, shifts } = format;
  const order =
    difficulty >= 3
      ? "Byte order differs from file to file: the mark in the header holds 0x0102 in the byte order of the whole file, its checksums included."
      : `All numbers are ${format.bigEndian ? "big" : "little"}-endian.`;
  let offset = difficulty >= 5 ? 2 : 0;
  const fields = format.fields.map((name) => {
    const row = `| ${offset} | ${fieldSizes[name]} | ${name} | ${
      {
        sequence: "unsigned, number of the record, per device",
        seconds: "unsigned, seconds after the base time of the file",
        value: `signed (two's complement), ${format.decimals === 1 ? "tenths" : "hundredths"}${difficulty >= 2 ? `; ${missing} means: no value` : ""}`,
        channel:
          difficulty >= 2
            ? "unsigned, place in the string table of the same file, from 0"
            : "unsigned, see `channels.csv`",
        status: difficulty >= 2 ? "see below" : "unsigned, the quality (0 to 7)",
      }[name]
    } |`;
    offset += fieldSizes[name];
    return row;
  });
  const parts = [
    `# Files of the recorder (\`.${format.extension}\`)`,
    `A file is a header, records up to ${difficulty >= 2 ? "the string table" : "the end of the file"}${difficulty >= 2 ? ", the string table" : ""}. ${order} Times count from ${format.epochYear}-01-01T00:00:00Z, without leap seconds.`,
    `## Header (28 bytes)

| offset | size | what |
|---|---|---|
| 0 | 4 | \`${format.magic}\` |
| 4 | 2 | ${difficulty >= 3 ? "byte order mark, 0x0102" : "reserved, zero"} |
| 6 | 2 | version of the record layout |
| 8 | 4 | number of the device (\`devices.csv\`) |
| 12 | 4 | base time, seconds since the epoch above |
| 16 | 4 | records written |
| 20 | 4 | ${difficulty >= 2 ? "offset of the string table" : "reserved, zero"} |
| 24 | 4 | ${difficulty >= 3 ? "CRC-32 (as in gzip) of bytes 0 to 23" : "reserved, zero"} |`,
    `## Record, version 1

| offset | size | field | what |
|---|---|---|---|
${difficulty >= 5 ? `| 0 | 2 | marker | bytes ${format.marker.map(hex).join(" ")} |\n` : ""}${fields.join("\n")}${difficulty >= 3 ? `\n| ${offset} | 2 | check | see below |` : ""}`,
  ];
  if (difficulty >= 2) {
    const bits = (from: number, size: number) =>
      size === 1 ? `bit ${from}` : `bits ${from} to ${from + size - 1} (bit ${from} is the lowest)`;
    parts.push(
      `## Status byte

Bit 0 is the least significant. The quality is in ${bits(shifts.quality, 3)}, the battery warning in ${bits(shifts.battery, 1)}, the mode in ${bits(shifts.mode, 2)}; other bits are reserved. Modes: 0 measured, 1 calibration, 2 entered by hand, 3 ${difficulty >= 5 ? "withdrawn" : "reserved"}. Calibration records are sound records, but no measurements.`,
      `## String table

One byte with the number of strings, then for each a byte with its length and that many bytes of ASCII. Every file has its own.`,
    );
  }
  if (difficulty >= 4)
    parts.push(
      `## Record, version 2

${difficulty >= 5 ? "The marker as in version 1, then one" : "One"} byte with the length of the body, the body, the check, and zero bytes up to a multiple of four counted from the start of the record. The body is: sequence (varint), seconds (varint), channel (one byte), status (one byte), value (varint, zigzag: 0, -1, 1, -2, … are written as 0, 1, 2, 3, …). A varint has seven bits a byte, lowest group first; a set top bit says that another byte follows. Length bytes are never damaged.`,
    );
  if (difficulty >= 3)
    parts.push(
      `## Check

Over all bytes of the record before it${difficulty >= 5 ? ", the marker included" : ""}${difficulty >= 4 ? " (for version 2 the length byte too)" : ""}: ${checks[format.check]}. A record is sound when its check is right; a record that is damaged counts for nothing, and none of its fields can be trusted.`,
    );
  if (difficulty >= 5)
    parts.push(
      `## Noise and repetition

Between records there may be bytes that belong to none, marker bytes among them. A reader that finds no sound record at a place goes on one byte further; after a sound record it goes on behind it (padding included).

A device may send a record again under the same number. Of the sound records of one device with the same number only the last counts, in the order of the files' names, then of their place in the file. When that one is withdrawn, nothing counts.`,
    );
  return `${parts.join("\n\n")}\n`;
}
