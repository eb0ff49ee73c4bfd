// What a run may cost before anything is paid: expected calls × tokens × price, as low, likely and high.
import { costNanoUsd, type Price } from "../prices/index.ts";

export type Range = { readonly low: number; readonly likely: number; readonly high: number };

export type ForecastItem = {
  readonly purpose: string;
  readonly model: string;
  readonly calls: Range;
  /** Of one call. */
  readonly inputTokens: Range;
  readonly outputTokens: Range;
  readonly price: Price | null;
};

export type Forecast = {
  readonly items: readonly (ForecastItem & { readonly tokens: Range; readonly usd: Range | null })[];
  readonly calls: Range;
  readonly tokens: Range;
  /** Over the items whose price is known; `isComplete` says whether those are all. */
  readonly usd: Range;
  readonly isComplete: boolean;
};

const points = ["low", "likely", "high"] as const;
const range = (at: (point: (typeof points)[number]) => number): Range => ({
  low: at("low"),
  likely: at("likely"),
  high: at("high"),
});

export function forecast(items: readonly ForecastItem[]): Forecast {
  const priced = items.map((item) => ({
    ...item,
    tokens: range((point) => item.calls[point] * (item.inputTokens[point] + item.outputTokens[point])),
    usd: item.price ? range((point) => usdOf(item, item.price as Price, point)) : null,
  }));
  const sum = (of: (item: (typeof priced)[number]) => Range | null) =>
    range((point) => priced.reduce((total, item) => total + (of(item)?.[point] ?? 0), 0));
  return {
    items: priced,
    calls: sum((item) => item.calls),
    tokens: sum((item) => item.tokens),
    usd: sum((item) => item.usd),
    isComplete: priced.every((item) => item.usd !== null),
  };
}

function usdOf(item: ForecastItem, price: Price, point: (typeof points)[number]): number {
  const inputTokens = item.calls[point] * item.inputTokens[point];
  const outputTokens = item.calls[point] * item.outputTokens[point];
  return (costNanoUsd(price, { inputTokens, cachedInputTokens: 0, outputTokens }) ?? 0) / 1e9;
}

/** Lines for a terminal: one for each item, and the sum. */
export function describeForecast(told: Forecast): string {
  const usd = (value: number) => `$${value.toFixed(2)}`;
  const whole = (value: number) => Math.round(value).toLocaleString("en-US");
  const between = (values: Range, show: (value: number) => string) =>
    values.low === values.high
      ? show(values.likely)
      : `${show(values.likely)} (${show(values.low)} to ${show(values.high)})`;
  const lines = told.items.map(
    (item) =>
      `${item.purpose}, ${item.model}: ${between(item.calls, whole)} calls, ${between(item.tokens, whole)} tokens, ` +
      (item.usd ? between(item.usd, usd) : "price not known"),
  );
  const total = between(told.usd, usd);
  const unknown = told.items.filter((item) => item.usd === null).length;
  const sum =
    unknown === 0
      ? `expected: ${total}`
      : unknown === told.items.length
        ? "expected: cost not known"
        : `expected: at least ${total} (without ${unknown} of ${told.items.length} lines, whose price is not known)`;
  return [...lines, sum].join("\n");
}
