// What tokens cost: list prices with their dates as data, and what a profile says instead.
import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Usage } from "../../contract/index.ts";

export type Price = {
  readonly inputUsdPerMillion: number;
  /** null: cached input costs what other input does. */
  readonly cachedInputUsdPerMillion: number | null;
  readonly outputUsdPerMillion: number;
  /** Where it is from, for a person. */
  readonly source: string;
};

/** For models that run here: known to cost nothing. */
export const freePrice: Price = {
  inputUsdPerMillion: 0,
  cachedInputUsdPerMillion: null,
  outputUsdPerMillion: 0,
  source: "runs here",
};

const listSchema = z.strictObject({
  note: z.string(),
  prices: z.array(
    z.strictObject({
      kind: z.string(),
      model: z.string(),
      inputUsdPerMillion: z.number().positive(),
      cachedInputUsdPerMillion: z.number().positive().nullable(),
      outputUsdPerMillion: z.number().positive(),
      asOf: z.iso.date(),
      source: z.string(),
    }),
  ),
});

export type ListPrice = z.infer<typeof listSchema>["prices"][number];

let list: readonly ListPrice[] | null = null;

export function listPrices(): readonly ListPrice[] {
  list ??= listSchema.parse(JSON.parse(readFileSync(new URL("prices.json", import.meta.url), "utf8"))).prices;
  return list;
}

/**
 * The list price of a model at its own maker's endpoint; null when it isn't known. A dated snapshot
 * (`gpt-4.1-2025-04-14`) has the price of its model, no other suffix has.
 */
export function findPrice(kind: string, model: string): Price | null {
  const name = model.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, "");
  const found = listPrices().find((price) => price.kind === kind && (price.model === model || price.model === name));
  if (!found) return null;
  const { inputUsdPerMillion, cachedInputUsdPerMillion, outputUsdPerMillion, asOf, source } = found;
  return {
    inputUsdPerMillion,
    cachedInputUsdPerMillion,
    outputUsdPerMillion,
    source: `${source}, list price of ${asOf}`,
  };
}

/** In billionths of a dollar, so that sums don't depend on their order; null when tokens or price aren't known. */
export function costNanoUsd(
  price: Price | null,
  usage: Pick<Usage, "inputTokens" | "cachedInputTokens" | "outputTokens">,
): number | null {
  if (!price) return null;
  const isFree = price.inputUsdPerMillion === 0 && price.outputUsdPerMillion === 0;
  if (isFree) return 0;
  if (usage.inputTokens === null || usage.outputTokens === null) return null;
  const cached = Math.min(usage.cachedInputTokens ?? 0, usage.inputTokens);
  const input = (usage.inputTokens - cached) * price.inputUsdPerMillion;
  const cachedInput = cached * (price.cachedInputUsdPerMillion ?? price.inputUsdPerMillion);
  return Math.round((input + cachedInput + usage.outputTokens * price.outputUsdPerMillion) * 1000);
}
