// What a ledger holds: counts per model and purpose. Pure data, so that a resumed run goes on with its budget.
import { z } from "zod";
import { ConfigError } from "../../contract/index.ts";

const count = z.int().nonnegative();

const rowSchema = z.strictObject({
  model: z.string(),
  purpose: z.string(),
  /** Calls that were sent, failed ones among them. */
  calls: count,
  failed: count,
  /** Replies from a cassette: no call was sent, nothing was paid. */
  replayed: count,
  inputTokens: count,
  cachedInputTokens: count,
  outputTokens: count,
  reasoningTokens: count,
  /** Answered calls whose tokens weren't told; `assumedTokens` is what the budget counts for them. */
  callsOfUnknownTokens: count,
  assumedTokens: count,
  /** Billionths of a dollar. */
  costNanoUsd: count,
  callsOfUnknownCost: count,
  assumedNanoUsd: count,
});

export type LedgerRow = z.infer<typeof rowSchema>;

const stateSchema = z.strictObject({ version: z.literal(1), rows: z.array(rowSchema) });
export type LedgerState = z.infer<typeof stateSchema>;

export type LedgerTotals = Omit<LedgerRow, "model" | "purpose">;

const nothing: LedgerTotals = {
  calls: 0,
  failed: 0,
  replayed: 0,
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  callsOfUnknownTokens: 0,
  assumedTokens: 0,
  costNanoUsd: 0,
  callsOfUnknownCost: 0,
  assumedNanoUsd: 0,
};

export function emptyRow(model: string, purpose: string): LedgerRow {
  return { model, purpose, ...nothing };
}

export function addRows(rows: Iterable<LedgerTotals>): LedgerTotals {
  const sum = { ...nothing };
  for (const row of rows) for (const name of Object.keys(nothing) as (keyof LedgerTotals)[]) sum[name] += row[name];
  return sum;
}

/** ConfigError `ledger_invalid` when it isn't what a ledger wrote. */
export function parseLedgerState(value: unknown): LedgerState {
  const parsed = stateSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new ConfigError({
    code: "ledger_invalid",
    message: `the stored ledger can't be read: ${issue?.message}`,
    where: { field: issue?.path.join(".") ?? "" },
    remedy: "start a new run, or use the release that wrote it",
  });
}
