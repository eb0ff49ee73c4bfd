import { concat, littleEndian, utf8 } from "./bytes.ts";
import { crc32 } from "./crc32.ts";
import { deflate } from "./deflate.ts";
import type { ArchiveMember } from "./tar.ts";

/** DOS date and time, two seconds exact, UTC. */
function dosTime(seconds: number): Uint8Array {
  const date = new Date(seconds * 1000);
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  const day = ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  return concat([littleEndian(time, 2), littleEndian(day, 2)]);
}

/**
 * A zip archive of files, deflated or stored, sizes in the local headers. `offsets` says where each local header begins,
 * and last where the central directory does: cut at one of them, the members before can still be read.
 */
export function zip(
  members: readonly ArchiveMember[],
  options: { readonly stored?: boolean } = {},
): { readonly bytes: Uint8Array; readonly offsets: readonly number[] } {
  const locals: Uint8Array[] = [];
  const central: Uint8Array[] = [];
  const offsets: number[] = [];
  let offset = 0;
  for (const member of members) {
    const name = utf8(member.path);
    const packed = options.stored ? member.content : deflate(member.content);
    const shared = concat([
      littleEndian(20, 2),
      littleEndian(0x800, 2),
      littleEndian(options.stored ? 0 : 8, 2),
      dosTime(member.modified),
      littleEndian(crc32(member.content), 4),
      littleEndian(packed.length, 4),
      littleEndian(member.content.length, 4),
      littleEndian(name.length, 2),
      littleEndian(0, 2),
    ]);
    const local = concat([littleEndian(0x04034b50, 4), shared, name, packed]);
    const attributes = concat([littleEndian(0, 6), littleEndian(0o100644 * 65536, 4), littleEndian(offset, 4)]);
    central.push(
      concat([
        littleEndian(0x02014b50, 4),
        littleEndian(0x0314, 2),
        shared,
        littleEndian(0, 2),
        attributes.slice(2),
        name,
      ]),
    );
    locals.push(local);
    offsets.push(offset);
    offset += local.length;
  }
  const directory = concat(central);
  const end = concat([
    littleEndian(0x06054b50, 4),
    littleEndian(0, 4),
    littleEndian(members.length, 2),
    littleEndian(members.length, 2),
    littleEndian(directory.length, 4),
    littleEndian(offset, 4),
    littleEndian(0, 2),
  ]);
  return { bytes: concat([...locals, directory, end]), offsets: [...offsets, offset] };
}
