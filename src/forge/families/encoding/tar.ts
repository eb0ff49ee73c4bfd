import { concat, utf8 } from "./bytes.ts";

export type ArchiveMember = {
  readonly path: string;
  readonly content: Uint8Array;
  /** Seconds since the epoch. */
  readonly modified: number;
  readonly kind?: "file" | "directory";
};

function field(header: Uint8Array, offset: number, text: string): void {
  header.set(utf8(text), offset);
}

/** One member of a ustar archive: its header and its content, padded to 512 bytes. */
export function tarMember(member: ArchiveMember): Uint8Array {
  const header = new Uint8Array(512);
  const octal = (value: number, width: number) => `${value.toString(8).padStart(width - 1, "0")}\0`;
  field(header, 0, member.path);
  field(header, 100, octal(member.kind === "directory" ? 0o755 : 0o644, 8));
  field(header, 108, octal(1000, 8));
  field(header, 116, octal(1000, 8));
  field(header, 124, octal(member.content.length, 12));
  field(header, 136, octal(member.modified, 12));
  field(header, 148, "        ");
  field(header, 156, member.kind === "directory" ? "5" : "0");
  field(header, 257, "ustar\0");
  field(header, 263, "00");
  field(header, 265, "backup");
  field(header, 297, "backup");
  const sum = header.reduce((total, byte) => total + byte, 0);
  field(header, 148, `${sum.toString(8).padStart(6, "0")}\0 `);
  const padding = new Uint8Array((512 - (member.content.length % 512)) % 512);
  return concat([header, member.content, padding]);
}

/** A ustar archive. Paths are at most 100 bytes. */
export function tar(members: readonly ArchiveMember[]): Uint8Array {
  return concat([...members.map(tarMember), new Uint8Array(1024)]);
}
