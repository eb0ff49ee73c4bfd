import { concat, crc32, utf8 } from "../../encoding/index.ts";
import { bigEndian, type GitObject, sha1, zlibStream } from "./object.ts";

const types = { commit: 1, tree: 2, blob: 3, tag: 4 } as const;

function entry({ kind, content }: GitObject): Uint8Array {
  let rest = content.length >> 4;
  const header = [(types[kind] << 4) | (content.length & 15) | (rest > 0 ? 128 : 0)];
  for (; rest > 0; rest >>= 7) header.push((rest & 127) | (rest > 127 ? 128 : 0));
  return concat([Uint8Array.from(header), zlibStream(content)]);
}

/** A pack of whole objects and its index (version 2), as `pack-<id>.pack` and `.idx`. */
export function packFiles(objects: readonly GitObject[]): { path: string; content: Uint8Array }[] {
  const entries = objects.map(entry);
  const body = concat([utf8("PACK"), bigEndian(2), bigEndian(objects.length), ...entries]);
  const trailer = sha1(body);
  let offset = 12;
  const table = objects
    .map(({ id }, index) => {
      const bytes = entries[index] as Uint8Array;
      const row = { id, offset, checksum: crc32(bytes) };
      offset += bytes.length;
      return row;
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const firsts = table.map(({ id }) => Number.parseInt(id.slice(0, 2), 16));
  let reached = 0;
  const fanout = Array.from({ length: 256 }, (_, first) => {
    while (reached < firsts.length && (firsts[reached] as number) <= first) reached++;
    return bigEndian(reached);
  });
  const index = concat([
    Uint8Array.of(0xff, 0x74, 0x4f, 0x63),
    bigEndian(2),
    ...fanout,
    ...table.map(({ id }) => Buffer.from(id, "hex")),
    ...table.map(({ checksum }) => bigEndian(checksum)),
    ...table.map((row) => bigEndian(row.offset)),
    trailer,
  ]);
  const name = `pack-${sha1(concat(table.map(({ id }) => Buffer.from(id, "hex")))).toString("hex")}`;
  return [
    { path: `${name}.pack`, content: concat([body, trailer]) },
    { path: `${name}.idx`, content: concat([index, sha1(index)]) },
  ];
}
