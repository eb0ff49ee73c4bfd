import { wait } from "./wait.ts";

/**
 * A token bucket of one token: starts of one rate key are at least 1/perSecond apart, whatever their order, so no
 * window of a second holds more than perSecond + 1 of them.
 */
export class TokenBucket {
  #next = 0;

  /** Waits for a token; rejects with the signal's reason when it is aborted meanwhile. */
  async take(perSecond: number, signal: AbortSignal): Promise<void> {
    const now = performance.now();
    const turn = Math.max(now, this.#next);
    this.#next = turn + 1000 / perSecond;
    if (turn > now) await wait(turn - now, signal);
  }
}
