// A binary container of records: deflated or not, damaged ones to be passed over, later ones in place of earlier.
import type { Random } from "../../../../statistics/index.ts";
import { concat, crc32, deflate, littleEndian, utf8 } from "../../encoding/index.ts";
import { type Input, type Stage, writeMade } from "../stage.ts";
import { altered } from "../text.ts";

type Record = {
  readonly path: string;
  readonly content: Uint8Array;
  readonly deflated: boolean;
  readonly damaged: boolean;
};

function encodeRecord({ path, content, deflated, damaged }: Record): Uint8Array {
  const name = utf8(path);
  const payload = deflated ? deflate(content) : content;
  const sum = (crc32(payload) ^ (damaged ? 0x5a : 0)) >>> 0;
  return concat([
    Uint8Array.of(1, Number(deflated)),
    littleEndian(name.length, 2),
    name,
    littleEndian(payload.length, 4),
    payload,
    littleEndian(sum, 4),
  ]);
}

const format = (name: string) => `# ${name}

A batch is \`RSV1\`, then records until the end of the file. Numbers are unsigned, little-endian.

| bytes | what |
|---|---|
| 1 | kind: 1 is a file |
| 1 | flags: bit 0 set, the payload is deflated (RFC 1951, no header) |
| 2 | length of the name |
| … | name: the path, UTF-8 |
| 4 | length of the payload as it is stored |
| … | payload |
| 4 | CRC-32 (as of zip) of the payload as it is stored |

A record whose CRC doesn't fit is damaged and counts for nothing. Of several sound records with one name the last one counts;
batches follow each other by their number.
`;

const unpack = (folder: string, sound: string) => `
import os, re, struct, zlib
made = {}
names = [name for name in os.listdir("${folder}") if name.endswith(".rsv")]
for name in sorted(names, key=lambda name: int(re.search(r"\\d+", name).group())):
    data, at = open("${folder}/" + name, "rb").read(), 4
    while at < len(data):
        kind, flags, size = struct.unpack_from("<BBH", data, at)
        path = data[at + 4 : at + 4 + size].decode()
        at += 4 + size
        (length,) = struct.unpack_from("<I", data, at)
        payload = data[at + 4 : at + 4 + length]
        (check,) = struct.unpack_from("<I", data, at + 4 + length)
        at += 8 + length
        if ${sound}:
            made[path] = zlib.decompress(payload, -15) if flags & 1 else payload
${writeMade}`;

function recordsOf(
  inputs: readonly Input[],
  spoilt: string,
  bug: boolean,
  compress: boolean,
  random: Random,
): Record[] {
  const fresh = random.shuffle([...inputs]).map(({ path, content }) => ({
    path,
    content,
    deflated: compress && random.boolean(0.6),
    damaged: bug && path === spoilt,
  }));
  const records: Record[] = [];
  for (const record of fresh) {
    if (random.boolean(0.4)) records.push({ ...record, content: altered(record.content, random), damaged: false });
    records.push(record);
    if (record.path === spoilt)
      records.push({ ...record, content: altered(record.content, random), deflated: false, damaged: true });
  }
  return records;
}

export const container: Stage = {
  id: "container",
  family: "binary-formats",
  suits: (inputs) => inputs.every(({ content }) => content.length > 0),
  deliver({ random, inputs, folder, difficulty, bug }) {
    const spoilt = random.pick([...inputs]).path;
    const records = recordsOf(inputs, spoilt, bug, difficulty >= 2, random);
    const batches = Math.min(records.length, difficulty >= 3 ? 3 : 1);
    const size = Math.ceil(records.length / batches);
    // Numbers of one and of two digits: in the order of names they would come wrong.
    const start = difficulty >= 3 ? 8 : 1;
    const files = Array.from({ length: batches }, (_, index) => ({
      path: `${folder}/batch-${start + index}.rsv`,
      content: concat([utf8("RSV1"), ...records.slice(index * size, (index + 1) * size).map(encodeRecord)]),
    }));
    return {
      files: [...files, { path: `${folder}/FORMAT.md`, content: format("The batches in this folder") }],
      words: `They are in the binary batches \`/app/${folder}/*.rsv\`, whose format \`/app/${folder}/FORMAT.md\` describes; the name of a record is the path below \`/app\`.`,
      program: unpack(folder, "kind == 1 and zlib.crc32(payload) == check"),
      mistaken: unpack(folder, "kind == 1"),
    };
  },
};
