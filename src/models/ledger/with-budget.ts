// The middleware that counts every call of a model for one purpose, and refuses those for which the budget is too small.
import {
  ModelError,
  type ModelProvider,
  type ModelReply,
  type ModelRequest,
  type Usage,
} from "../../contract/index.ts";
import { isReplayed } from "../cassette/index.ts";
import { estimateTokens } from "../estimate-tokens.ts";
import { costNanoUsd, type Price } from "../prices/index.ts";
import type { Estimate, Ledger } from "./ledger.ts";

export type WithBudgetOptions = {
  readonly ledger: Ledger;
  readonly model: string;
  /** What the calls are for, such as "author", "judge" or "agent". */
  readonly purpose: string;
  readonly price: Price | null;
  /** Whether the request will be answered without a call, from a cassette. */
  readonly isFree?: (request: ModelRequest) => boolean;
  /** Output set aside for a request without a maximum. Default 4,096. */
  readonly assumedOutputTokens?: number;
};

export function withBudget(provider: ModelProvider, options: WithBudgetOptions): ModelProvider {
  const { ledger, model, purpose, price } = options;
  const countReplayed = (reply: ModelReply): ModelReply => {
    ledger.replayed(model, purpose);
    return { ...reply, usage: { ...reply.usage, costUsd: 0 } };
  };
  return {
    id: provider.id,
    async complete(request, call) {
      if (options.isFree?.(request)) return countReplayed(await provider.complete(request, call));
      const reservation = await ledger.reserve(model, purpose, estimate(request, options), call?.signal);
      try {
        const reply = await provider.complete(request, call);
        if (isReplayed(reply)) {
          reservation.cancel();
          return countReplayed(reply);
        }
        const cost = costOf(price, reply.usage);
        reservation.settle(reply.usage, cost);
        return { ...reply, usage: { ...reply.usage, costUsd: cost === null ? null : cost / 1e9 } };
      } catch (error) {
        const usage = usageOf(error);
        reservation.fail(usage, usage && costOf(price, usage));
        throw error;
      }
    },
  };
}

/** What the provider says that it cost stands before what the price list gives. */
function costOf(price: Price | null, usage: Usage): number | null {
  return usage.costUsd === null ? costNanoUsd(price, usage) : Math.round(usage.costUsd * 1e9);
}

function estimate(request: ModelRequest, { price, assumedOutputTokens }: WithBudgetOptions): Estimate {
  const { inputTokens, outputTokens } = estimateTokens(request, assumedOutputTokens);
  return {
    tokens: inputTokens + outputTokens,
    nanoUsd: costNanoUsd(price, { inputTokens, cachedInputTokens: 0, outputTokens }),
  };
}

/** A failed call may say what it used: `details.usage`. */
function usageOf(error: unknown): Usage | null {
  const usage = ModelError.isInstance(error) ? error.details.usage : undefined;
  return usage ? (usage as unknown as Usage) : null;
}
