// A scripted model for tests: answers with how often it was asked.
import type { ModelProvider, ModelReply, ModelRequest, Usage } from "../../contract/index.ts";

export const identity = { kind: "openai", provider: "openai", model: "m", revision: null };

export const usage: Usage = {
  inputTokens: 10,
  cachedInputTokens: 0,
  outputTokens: 5,
  reasoningTokens: 0,
  costUsd: null,
};

export function ask(text: string, more: Partial<ModelRequest> = {}): ModelRequest {
  return { messages: [{ role: "user", text }], ...more };
}

export function replyOf(text: string, more: Partial<ModelReply> = {}): ModelReply {
  return {
    text,
    reasoning: null,
    calls: [],
    finishReason: "stop",
    usage,
    model: { id: "scripted", revision: null },
    ...more,
  };
}

/** Answers "1", "2", … after `before` has run. */
export function countingModel(before: (count: number, request: ModelRequest) => void | Promise<void> = () => {}) {
  let asked = 0;
  const provider: ModelProvider = {
    id: "scripted",
    async complete(request) {
      asked++;
      const count = asked;
      await before(count, request);
      return replyOf(String(count));
    },
  };
  return { provider, asked: () => asked };
}
