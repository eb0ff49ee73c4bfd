// What the episodes of models that cost something may cost, told before the first of them is paid.
import { describeForecast, type Forecast, forecast, type Price, type Range } from "../../models/index.ts";
import type { NamedAgent } from "./agents.ts";

/** Answers of an episode, and tokens that nobody has counted yet. */
const assumed = { answers: { low: 5, likely: 20, high: 60 }, firstInput: 1_500, growth: 500, output: 200 };
const assumption =
  `assumed: ${assumed.answers.low} to ${assumed.answers.high} answers an episode (max_turns at most) of ${assumed.output} tokens each, ` +
  `a prompt of ${assumed.firstInput.toLocaleString("en-US")} tokens that grows by ${assumed.growth} an answer`;

const isFree = (price: Price | null): boolean =>
  price !== null && price.inputUsdPerMillion === 0 && price.outputUsdPerMillion === 0;

/** Of `episodes` for each agent; null when none of them can cost anything. */
export function forecastRollout(
  agents: readonly NamedAgent[],
  episodes: number,
): { told: Forecast; text: string } | null {
  const items = agents.flatMap(({ name, model }) => {
    if (!model || isFree(model.price)) return [];
    const answers = ofEach((at) => Math.min(assumed.answers[at], model.profile.max_turns ?? Number.POSITIVE_INFINITY));
    const most = model.profile.context_tokens ?? Number.POSITIVE_INFINITY;
    return {
      purpose: "agent",
      model: name,
      calls: ofEach((at) => episodes * answers[at]),
      inputTokens: ofEach((at) => Math.min(most, assumed.firstInput + (assumed.growth * (answers[at] - 1)) / 2)),
      outputTokens: ofEach(() => assumed.output),
      price: model.price,
    };
  });
  if (items.length === 0) return null;
  const told = forecast(items);
  const lines = describeForecast(told).split("\n");
  return { told, text: `forecast: ${(items.length === 1 ? lines.slice(0, 1) : lines).join("; ")} (${assumption})` };
}

const ofEach = (value: (at: keyof Range) => number): Range => ({
  low: value("low"),
  likely: value("likely"),
  high: value("high"),
});
