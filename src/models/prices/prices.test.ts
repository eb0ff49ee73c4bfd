import { describe, expect, it } from "vitest";
import { costNanoUsd, findPrice, freePrice, listPrices } from "./index.ts";

describe("the price list", () => {
  it("is dated, has a source, and names each model once", () => {
    const names = listPrices().map(({ kind, model }) => `${kind}:${model}`);
    expect(new Set(names).size).toBe(names.length);
    for (const price of listPrices()) {
      expect(price.source).not.toBe("");
      expect(price.outputUsdPerMillion).toBeGreaterThan(price.inputUsdPerMillion);
      expect(price.cachedInputUsdPerMillion ?? 0).toBeLessThan(price.inputUsdPerMillion);
    }
  });

  it("gives a dated snapshot the price of its model, and nothing else a price", () => {
    const price = findPrice("openai", "gpt-4.1");
    expect(price).toMatchObject({ inputUsdPerMillion: 2, source: expect.stringMatching(/list price of \d{4}-/) });
    expect(findPrice("openai", "gpt-4.1-2025-04-14")).toEqual(price);
    expect(findPrice("anthropic", "claude-haiku-4-5-20251001")).toMatchObject({ inputUsdPerMillion: 1 });
    for (const [kind, model] of [
      ["openai", "gpt-4.1-audio"],
      ["openai", "gpt-9"],
      ["openai-compatible", "gpt-4.1"],
      ["openai", "gpt"],
    ])
      expect(findPrice(kind as string, model as string)).toBeNull();
  });

  it("a cost is known only where price and tokens are", () => {
    const tokens = { inputTokens: 1_000_000, cachedInputTokens: null, outputTokens: 1_000_000 };
    expect(costNanoUsd(findPrice("openai", "gpt-4.1"), tokens)).toBe(10e9);
    expect(costNanoUsd(null, tokens)).toBeNull();
    expect(costNanoUsd(findPrice("openai", "gpt-4.1"), { ...tokens, outputTokens: null })).toBeNull();
    expect(costNanoUsd(freePrice, { ...tokens, outputTokens: null })).toBe(0);
  });
});
