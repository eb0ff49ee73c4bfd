/** Slots of one resource, shared by all runs of an engine and given out first come, first served. */
export class ResourceQueue {
  readonly slots: number;
  #used = 0;
  readonly #waiting = new Set<() => void>();

  constructor(slots: number) {
    this.slots = slots;
  }

  /** Takes a slot and returns its release; rejects with the signal's reason when it is aborted meanwhile. */
  async acquire(signal: AbortSignal): Promise<() => void> {
    if (signal.aborted) throw signal.reason;
    if (this.#used >= this.slots) await this.#turn(signal);
    else this.#used++;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const [next] = this.#waiting;
      if (next) next();
      else this.#used--;
    };
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        this.#waiting.delete(go);
        reject(signal.reason);
      };
      const go = () => {
        this.#waiting.delete(go);
        signal.removeEventListener("abort", stop);
        resolve();
      };
      this.#waiting.add(go);
      signal.addEventListener("abort", stop, { once: true });
    });
  }
}
