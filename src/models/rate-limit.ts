// Requests and tokens per minute of one model at one provider, shared by all who call it.
import type { ModelProvider, ModelRequest } from "../contract/index.ts";
import { type Clock, systemClock } from "./clock.ts";

export type RateLimits = {
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
};

const minute = 60_000;

type Sent = { readonly at: number; tokens: number };
/** A call that was let through; says what it used when it is known. */
export type Admission = { used(tokens: number): void };

/** Within any minute no more calls and tokens are let through than the limits say; in the order in which they came. */
export class RateLimiter {
  readonly #limits: RateLimits;
  readonly #clock: Clock;
  #window: Sent[] = [];
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #last: Promise<void> = Promise.resolve();

  constructor(limits: RateLimits, clock: Clock = systemClock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Waits until a call that may use so many tokens may be sent. One beyond a whole minute's tokens goes alone. */
  acquire(tokens: number, signal?: AbortSignal): Promise<Admission> {
    const turn = this.#last.then(() => this.#admit(tokens, signal));
    this.#last = turn.then(
      () => {},
      () => {},
    );
    return turn;
  }

  /** Nobody's call is sent for so long: the provider asked for it. */
  pause(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.now() + milliseconds);
  }

  async #admit(tokens: number, signal: AbortSignal | undefined): Promise<Admission> {
    for (let delay = this.#delay(tokens); delay > 0; delay = this.#delay(tokens))
      await this.#clock.sleep(delay, signal);
    signal?.throwIfAborted();
    const sent: Sent = { at: this.#clock.now(), tokens };
    this.#window.push(sent);
    return {
      used: (told) => {
        sent.tokens = told;
      },
    };
  }

  #delay(tokens: number): number {
    const now = this.#clock.now();
    if (now < this.#pausedUntil) return this.#pausedUntil - now;
    this.#window = this.#window.filter((sent) => now - sent.at < minute);
    const { requestsPerMinute = Number.POSITIVE_INFINITY, tokensPerMinute = Number.POSITIVE_INFINITY } = this.#limits;
    const used = this.#window.reduce((sum, sent) => sum + sent.tokens, 0);
    const fits = this.#window.length < Math.max(1, requestsPerMinute) && used + tokens <= tokensPerMinute;
    const oldest = this.#window[0];
    return fits || !oldest ? 0 : oldest.at + minute - now;
  }
}

export type WithRateLimitOptions = {
  readonly limiter: RateLimiter;
  /** Tokens that a request may use, until its reply tells. */
  readonly estimateTokens: (request: ModelRequest) => number;
};

export function withRateLimit(provider: ModelProvider, options: WithRateLimitOptions): ModelProvider {
  return {
    id: provider.id,
    async complete(request, call) {
      const admission = await options.limiter.acquire(options.estimateTokens(request), call?.signal);
      const reply = await provider.complete(request, call);
      const { inputTokens, outputTokens } = reply.usage;
      if (inputTokens !== null && outputTokens !== null) admission.used(inputTokens + outputTokens);
      return reply;
    },
  };
}
