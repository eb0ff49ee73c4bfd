// Time that stands still until everybody who runs waits for it, then goes to the next who wakes.
import type { Clock } from "../clock.ts";

export class FakeClock implements Clock {
  #now = 0;
  #sleepers: { at: number; wake: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
      this.#sleepers.push({ at: this.#now + milliseconds, wake: resolve });
    });
  }

  /** Lets time pass until the work is done. */
  async run<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const settled = work.finally(() => {
      isDone = true;
    });
    settled.catch(() => {});
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      if (isDone) return settled;
      this.#sleepers.sort((a, b) => a.at - b.at);
      const next = this.#sleepers.shift();
      if (!next) continue;
      this.#now = next.at;
      next.wake();
    }
  }
}
