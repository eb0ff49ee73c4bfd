import { concat, littleEndian } from "./bytes.ts";
import { crc32 } from "./crc32.ts";

function multibyte(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Uint8Array.from([...bytes, rest]);
    bytes.push((rest % 128) | 128);
  }
}
const pad4 = (bytes: Uint8Array) => concat([bytes, new Uint8Array((4 - (bytes.length % 4)) % 4)]);

/** An xz stream (file format 1.1.0) of one block whose LZMA2 chunks are stored uncompressed, with CRC-32 as check. */
export function xz(content: Uint8Array): Uint8Array {
  const flags = Uint8Array.of(0, 1);
  const header = concat([Uint8Array.of(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0), flags, littleEndian(crc32(flags), 4)]);
  const description = Uint8Array.of(2, 0, 0x21, 1, 0x16, 0, 0, 0);
  const blockHeader = concat([description, littleEndian(crc32(description), 4)]);
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < content.length; at += 65536) {
    const part = content.slice(at, at + 65536);
    const size = part.length - 1;
    chunks.push(Uint8Array.of(at === 0 ? 1 : 2, size >> 8, size & 255), part);
  }
  const data = concat([...chunks, Uint8Array.of(0)]);
  const check = littleEndian(crc32(content), 4);
  const unpadded = blockHeader.length + data.length + check.length;
  const index = pad4(concat([Uint8Array.of(0, 1), multibyte(unpadded), multibyte(content.length)]));
  const indexed = concat([index, littleEndian(crc32(index), 4)]);
  const tail = concat([littleEndian(indexed.length / 4 - 1, 4), flags]);
  return concat([
    header,
    blockHeader,
    pad4(data),
    check,
    indexed,
    littleEndian(crc32(tail), 4),
    tail,
    Uint8Array.of(0x59, 0x5a),
  ]);
}
