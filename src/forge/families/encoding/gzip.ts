import { concat, littleEndian, utf8 } from "./bytes.ts";
import { crc32 } from "./crc32.ts";
import { deflate } from "./deflate.ts";

/** A gzip member (RFC 1952) without a time; `name` goes into its header when given. */
export function gzip(content: Uint8Array | string, name?: string): Uint8Array {
  const bytes = typeof content === "string" ? utf8(content) : content;
  const header = Uint8Array.of(0x1f, 0x8b, 8, name === undefined ? 0 : 8, 0, 0, 0, 0, 0, 3);
  const label = name === undefined ? new Uint8Array() : utf8(`${name}\0`);
  return concat([header, label, deflate(bytes), littleEndian(crc32(bytes), 4), littleEndian(bytes.length, 4)]);
}

/**
 * The same, cut off so that all of the first `kept` bytes can be had from it, and at most 300 more.
 */
export function gzipCutOff(content: Uint8Array, kept: number): Uint8Array {
  let end = 0;
  const body = deflate(content, (input, bits) => {
    if (input >= kept && end === 0) end = Math.ceil(bits / 8);
  });
  return concat([Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3), body.slice(0, end)]);
}
