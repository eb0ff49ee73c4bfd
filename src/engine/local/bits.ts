/** A growing set of small whole numbers, one bit each: what a run has asked for, flat in memory. */
export class Bits {
  #words = new Uint32Array(64);

  has(index: number): boolean {
    return ((this.#words[index >>> 5] ?? 0) & (1 << (index & 31))) !== 0;
  }

  add(index: number): void {
    const word = index >>> 5;
    if (word >= this.#words.length) {
      const grown = new Uint32Array(Math.max(word + 1, this.#words.length * 2));
      grown.set(this.#words);
      this.#words = grown;
    }
    this.#words[word] = (this.#words[word] as number) | (1 << (index & 31));
  }
}
