// What was spent, in a line. A sum with parts that aren't known says "at least".
import type { LedgerTotals } from "./rows.ts";

const whole = (value: number) => value.toLocaleString("en-US");
const plural = (value: number, noun: string) => `${whole(value)} ${noun}${value === 1 ? "" : "s"}`;

export function describeSpending(totals: LedgerTotals): string {
  const apart = [
    totals.failed > 0 && `${whole(totals.failed)} failed`,
    totals.replayed > 0 && `${whole(totals.replayed)} more replayed at no cost`,
  ].filter(Boolean);
  const tokens = `${whole(totals.inputTokens)} input and ${whole(totals.outputTokens)} output tokens`;
  const unknownTokens = totals.callsOfUnknownTokens;
  const unknownCost = totals.callsOfUnknownCost;
  const cost = `$${(totals.costNanoUsd / 1e9).toFixed(4)}`;
  return [
    `${plural(totals.calls, "call")}${apart.length > 0 ? ` (${apart.join(", ")})` : ""}`,
    unknownTokens > 0 ? `at least ${tokens} (${plural(unknownTokens, "call")} didn't tell)` : tokens,
    unknownCost === 0
      ? cost
      : unknownCost === totals.calls - totals.failed && totals.costNanoUsd === 0
        ? "cost not known"
        : `at least ${cost} (the cost of ${plural(unknownCost, "call")} is not known)`,
  ].join(", ");
}
