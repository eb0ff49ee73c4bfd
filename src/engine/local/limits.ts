import { ConfigError, type StepPolicy } from "../../contract/index.ts";
import { ResourceQueue } from "./resource-queue.ts";
import { TokenBucket } from "./token-bucket.ts";

/** Queues and rates of an engine, shared by all of its runs. */
export class Limits {
  readonly #queues = new Map<string, ResourceQueue>();
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(queues: Readonly<Record<string, number>>) {
    for (const [name, slots] of Object.entries(queues)) {
      if (!Number.isInteger(slots) || slots < 1)
        throw new ConfigError({
          code: "queue_invalid",
          message: `queue ${JSON.stringify(name)} has ${slots} slots`,
          remedy: "give it a whole number from 1",
        });
      this.#queues.set(name, new ResourceQueue(slots));
    }
  }

  /** Waits for a slot of the policy's queue, then for its rate; returns the slot's release. */
  async enter(policy: StepPolicy, signal: AbortSignal): Promise<(() => void) | null> {
    const release = policy.queue === undefined ? null : await this.#queue(policy.queue).acquire(signal);
    if (policy.rate === undefined) return release;
    try {
      await this.#bucket(policy.rate.key).take(policy.rate.perSecond, signal);
      return release;
    } catch (error) {
      release?.();
      throw error;
    }
  }

  #queue(name: string): ResourceQueue {
    const queue = this.#queues.get(name);
    if (queue) return queue;
    throw new ConfigError({
      code: "queue_unknown",
      message: `there is no queue ${JSON.stringify(name)}`,
      remedy: `use one of ${[...this.#queues.keys()].join(", ") || "none"}, or add it to the engine's queues`,
    });
  }

  #bucket(key: string): TokenBucket {
    const bucket = this.#buckets.get(key) ?? new TokenBucket();
    this.#buckets.set(key, bucket);
    return bucket;
  }
}
