/** Bytes of a text in UTF-8. */
export const utf8 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "utf8"));

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

/** Little-endian integer of `size` bytes. */
export function littleEndian(value: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  for (let index = 0, rest = value; index < size; index++, rest = Math.floor(rest / 256)) bytes[index] = rest % 256;
  return bytes;
}
