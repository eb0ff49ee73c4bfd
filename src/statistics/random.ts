import { createHash } from "node:crypto";

/**
 * Seeded random numbers: xoshiro128** 1.1 (Blackman and Vigna, 2018) on 32-bit words, its state the first 16 bytes of
 * SHA-256 over the seed's text, little endian. Integer arithmetic only up to the last division, so the same seed gives
 * the same numbers on every platform.
 */
export class Random {
  readonly #seed: string;
  readonly #state: Uint32Array;

  constructor(seed: string | number) {
    this.#seed = String(seed);
    const digest = createHash("sha256").update(`routesetter:${this.#seed}`).digest();
    this.#state = Uint32Array.from([0, 4, 8, 12].map((offset) => digest.readUInt32LE(offset)));
  }

  /** A generator of its own for a part of the work: what other parts draw doesn't change it. */
  fork(label: string | number): Random {
    return new Random(`${this.#seed}/${label}`);
  }

  /** The next 32-bit word, 0..2^32-1. */
  word(): number {
    const s = this.#state as Uint32Array & { 0: number; 1: number; 2: number; 3: number };
    const rotate = (x: number, k: number) => (x << k) | (x >>> (32 - k));
    const result = Math.imul(rotate(Math.imul(s[1], 5), 7), 9) >>> 0;
    const t = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 11);
    return result;
  }

  /** A number in [0, 1) with 53 random bits. */
  next(): number {
    const high = this.word() >>> 5;
    const low = this.word() >>> 6;
    return (high * 67108864 + low) / 9007199254740992;
  }

  /** A whole number in [minimum, maximum], without modulo bias. */
  integer(minimum: number, maximum: number): number {
    const span = maximum - minimum + 1;
    if (!Number.isSafeInteger(span) || span < 1 || span > 2 ** 32)
      throw new RangeError(`integer(${minimum}, ${maximum}) has no usable span`);
    const limit = 2 ** 32 - (2 ** 32 % span);
    let word = this.word();
    while (word >= limit) word = this.word();
    return minimum + (word % span);
  }

  boolean(probability = 0.5): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError("pick from an empty list");
    return items[this.integer(0, items.length - 1)] as T;
  }

  /** A shuffled copy (Fisher and Yates). */
  shuffle<T>(items: readonly T[]): T[] {
    const copy = [...items];
    for (let i = copy.length - 1; i > 0; i--) {
      const j = this.integer(0, i);
      [copy[i], copy[j]] = [copy[j] as T, copy[i] as T];
    }
    return copy;
  }

  /** `count` different items, in random order. */
  sample<T>(items: readonly T[], count: number): T[] {
    if (count > items.length) throw new RangeError(`sample of ${count} from ${items.length}`);
    return this.shuffle(items).slice(0, count);
  }

  /** Normal deviate (Box and Muller). */
  normal(mean = 0, deviation = 1): number {
    const u = 1 - this.next();
    return mean + deviation * Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * this.next());
  }
}
