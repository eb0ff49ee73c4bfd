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
