// DEFLATE (RFC 1951) with one fixed-Huffman block and greedy matches. zlib's output differs between its builds and
// processors; this doesn't, and the same seed must give the same bytes everywhere.

const lengthBase = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
];
const lengthExtra = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const distanceBase = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
  8193, 12289, 16385, 24577,
];
const distanceExtra = [
  0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
];

/** Index of the last base that is not above the value. */
function slotTable(base: readonly number[], size: number): Uint8Array {
  const slots = new Uint8Array(size + 1);
  for (let value = base[0] as number, slot = 0; value <= size; value++) {
    while (slot + 1 < base.length && (base[slot + 1] as number) <= value) slot++;
    slots[value] = slot;
  }
  return slots;
}
const lengthSlots = slotTable(lengthBase, 258);
const distanceSlots = slotTable(distanceBase, 32768);

function reversed(code: number, count: number): number {
  let result = 0;
  for (let bit = 0; bit < count; bit++) result |= ((code >>> bit) & 1) << (count - 1 - bit);
  return result;
}
const symbolLengths = Uint8Array.from({ length: 288 }, (_, value) =>
  value < 144 ? 8 : value < 256 ? 9 : value < 280 ? 7 : 8,
);
const symbolCodes = Uint16Array.from(symbolLengths, (length, value) =>
  reversed(
    value < 144 ? 0x30 + value : value < 256 ? 0x190 + value - 144 : value < 280 ? value - 256 : value - 88,
    length,
  ),
);

class BitWriter {
  readonly #bytes: Uint8Array;
  #length = 0;
  #bits = 0;
  #count = 0;
  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
  }
  /** Least significant bit first. */
  bits(value: number, count: number): void {
    this.#bits |= value << this.#count;
    this.#count += count;
    while (this.#count >= 8) {
      this.#bytes[this.#length++] = this.#bits & 0xff;
      this.#bits >>>= 8;
      this.#count -= 8;
    }
  }
  /** A Huffman code: most significant bit first. */
  code(value: number, count: number): void {
    this.bits(reversed(value, count), count);
  }
  symbol(value: number): void {
    this.bits(symbolCodes[value] as number, symbolLengths[value] as number);
  }
  /** Bits written so far. */
  get position(): number {
    return this.#length * 8 + this.#count;
  }
  end(): Uint8Array {
    if (this.#count > 0) this.bits(0, 8 - this.#count);
    return this.#bytes.slice(0, this.#length);
  }
}

/** Where each hash was seen last; cleared for every input. */
const sharedHeads = new Int32Array(1 << 14);

/**
 * Raw DEFLATE data. The same input gives the same output on every platform. `onToken` is told where in the input each
 * token begins and where in the output, in bits.
 */
export function deflate(input: Uint8Array, onToken?: (input: number, outputBits: number) => void): Uint8Array {
  const out = new BitWriter(input.length + (input.length >> 2) + 64);
  out.bits(1, 1);
  out.bits(1, 2);
  const heads = sharedHeads.fill(-1);
  let position = 0;
  const keyAt = (at: number) =>
    Math.imul(
      (input[at] as number) | ((input[at + 1] as number) << 8) | ((input[at + 2] as number) << 16),
      0x9e3779b1,
    ) >>> 18;
  while (position < input.length) {
    onToken?.(position, out.position);
    let length = 0;
    let distance = 0;
    if (position + 3 <= input.length) {
      const key = keyAt(position);
      const candidate = heads[key] as number;
      heads[key] = position;
      if (candidate >= 0 && position - candidate <= 32768) {
        const most = Math.min(258, input.length - position);
        while (length < most && input[candidate + length] === input[position + length]) length++;
        distance = position - candidate;
      }
    }
    if (length < 4) {
      out.symbol(input[position++] as number);
      continue;
    }
    const lengthSlot = lengthSlots[length] as number;
    out.symbol(257 + lengthSlot);
    out.bits(length - (lengthBase[lengthSlot] as number), lengthExtra[lengthSlot] as number);
    const distanceSlot = distanceSlots[distance] as number;
    out.code(distanceSlot, 5);
    out.bits(distance - (distanceBase[distanceSlot] as number), distanceExtra[distanceSlot] as number);
    for (let at = position + 1; at < position + length && at + 3 <= input.length; at++) heads[keyAt(at)] = at;
    position += length;
  }
  out.symbol(256);
  return out.end();
}
