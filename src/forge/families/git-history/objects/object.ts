import { createHash } from "node:crypto";
import { concat, deflate, utf8 } from "../../encoding/index.ts";

export type Kind = "commit" | "tree" | "blob" | "tag";
export type GitObject = { readonly kind: Kind; readonly id: string; readonly content: Uint8Array };

export const sha1 = (bytes: Uint8Array): Buffer => createHash("sha1").update(bytes).digest();
export const bigEndian = (value: number, size = 4): Uint8Array =>
  Uint8Array.from({ length: size }, (_, index) => Math.floor(value / 256 ** (size - 1 - index)) % 256);

function adler32(bytes: Uint8Array): number {
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return b * 65536 + a;
}

/** A zlib stream (RFC 1950), the same on every platform. */
export const zlibStream = (bytes: Uint8Array): Uint8Array =>
  concat([Uint8Array.of(0x78, 0x01), deflate(bytes), bigEndian(adler32(bytes))]);

const withHeader = (kind: Kind, content: Uint8Array) => concat([utf8(`${kind} ${content.length}\0`), content]);

export function gitObject(kind: Kind, content: Uint8Array | string): GitObject {
  const bytes = typeof content === "string" ? utf8(content) : content;
  return { kind, id: sha1(withHeader(kind, bytes)).toString("hex"), content: bytes };
}

/** The file of a loose object, below `objects/`. */
export function looseFile({ kind, id, content }: GitObject): { path: string; content: Uint8Array } {
  return { path: `${id.slice(0, 2)}/${id.slice(2)}`, content: zlibStream(withHeader(kind, content)) };
}
