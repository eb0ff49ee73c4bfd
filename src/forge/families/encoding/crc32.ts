const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

/** CRC-32 as gzip, zip and xz use it. */
export function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (let index = 0; index < bytes.length; index++)
    value = (value >>> 8) ^ (table[(value ^ (bytes[index] as number)) & 0xff] as number);
  return (value ^ 0xffffffff) >>> 0;
}
