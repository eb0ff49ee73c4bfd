// Sums of usage in which what is not known stays not known.
import type { Usage } from "../contract/index.ts";

export const unknownUsage: Usage = {
  inputTokens: null,
  cachedInputTokens: null,
  outputTokens: null,
  reasoningTokens: null,
  costUsd: null,
};

const plus = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: plus(a.inputTokens, b.inputTokens),
    cachedInputTokens: plus(a.cachedInputTokens, b.cachedInputTokens),
    outputTokens: plus(a.outputTokens, b.outputTokens),
    reasoningTokens: plus(a.reasoningTokens, b.reasoningTokens),
    costUsd: plus(a.costUsd, b.costUsd),
  };
}
