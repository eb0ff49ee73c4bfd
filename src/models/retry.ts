// Sends a call again when its error says that this may help: capped exponential delays with seeded jitter.
import {
  canonicalJson,
  ModelError,
  type ModelProvider,
  type ModelReply,
  type ModelRequest,
  type Usage,
} from "../contract/index.ts";
import { Random } from "../statistics/index.ts";
import { type Clock, systemClock } from "./clock.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import type { RateLimiter } from "./rate-limit.ts";
import { addUsage } from "./usage.ts";

export type WithRetryOptions = {
  /** Attempts at most, the first among them. Default 5. */
  readonly attempts?: number;
  /** Of the jitter. The same request has the same delays, whatever runs beside it. */
  readonly seed?: string | number;
  readonly clock?: Clock;
  /** Further attempts go through it, and a wait that the provider asks for holds all its callers. */
  readonly limiter?: RateLimiter;
  readonly baseMilliseconds?: number;
  readonly capMilliseconds?: number;
  /** A provider that asks for a longer wait than this is given up. Default five minutes. */
  readonly longestWaitMilliseconds?: number;
};

/** The reply's usage is that of all attempts; so is `details.usage` of the last error. */
export function withRetry(provider: ModelProvider, options: WithRetryOptions = {}): ModelProvider {
  const { attempts = 5, seed = 0, clock = systemClock, limiter } = options;
  const { baseMilliseconds = 500, capMilliseconds = 30_000, longestWaitMilliseconds = 300_000 } = options;

  return {
    id: provider.id,
    async complete(request, call) {
      const signal = call?.signal;
      let random: Random | null = null;
      let used: Usage | null = null;
      for (let attempt = 1; ; attempt++) {
        try {
          const reply = await provider.complete(request, call);
          return used ? { ...reply, usage: addUsage(used, reply.usage) } : reply;
        } catch (error) {
          if (!ModelError.isInstance(error)) throw error;
          const usage = usageOf(error);
          if (usage) used = used ? addUsage(used, usage) : usage;
          const asked = waitAskedFor(error);
          if (asked !== null) limiter?.pause(asked);
          const isLast = attempt >= attempts || (asked ?? 0) > longestWaitMilliseconds;
          if (!error.isRetryable || signal?.aborted || isLast) throw withHistory(error, attempt, used);
          random ??= new Random(`${seed}/${canonicalJson(request)}`);
          const full = Math.min(capMilliseconds, baseMilliseconds * 2 ** (attempt - 1));
          await clock.sleep(Math.max(asked ?? 0, full * (0.5 + random.next() / 2)), signal);
          if (limiter) await admit(limiter, request, signal);
        }
      }
    },
  };
}

async function admit(limiter: RateLimiter, request: ModelRequest, signal: AbortSignal | undefined): Promise<void> {
  const { inputTokens, outputTokens } = estimateTokens(request);
  await limiter.acquire(inputTokens + outputTokens, signal);
}

function waitAskedFor(error: ModelError): number | null {
  const told = error.details.retryAfterMilliseconds;
  return typeof told === "number" && Number.isFinite(told) && told >= 0 ? told : null;
}

function usageOf(error: ModelError): Usage | null {
  const { usage } = error.details;
  return usage ? (usage as unknown as ModelReply["usage"]) : null;
}

/** The error as it was, with how often the call was sent and what all attempts used. */
function withHistory(error: ModelError, attempts: number, used: Usage | null): ModelError {
  if (attempts === 1) return error;
  return new ModelError({
    code: error.code,
    message: `${error.message} (attempt ${attempts})`,
    isRetryable: error.isRetryable,
    cause: error,
    details: { ...error.details, attempts, ...(used && { usage: { ...used } }) },
  });
}
