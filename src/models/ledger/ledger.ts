// Tokens, money and calls of a run, and the hard limits on them. What a call may use is set aside before it is sent.
import { ModelError, type Usage } from "../../contract/index.ts";
import { addRows, emptyRow, type LedgerRow, type LedgerState, type LedgerTotals, parseLedgerState } from "./rows.ts";

export type BudgetLimits = {
  readonly calls?: number;
  /** Input and output together. */
  readonly tokens?: number;
  readonly usd?: number;
};

export type LedgerOptions = {
  readonly limits?: BudgetLimits;
  /** Limits of single purposes, within those of the whole. */
  readonly purposes?: Readonly<Record<string, BudgetLimits>>;
  /** What `state()` of an earlier part of the run gave. */
  readonly state?: unknown;
};

/** What a call may use. `nanoUsd` null: its price isn't known. */
export type Estimate = { readonly tokens: number; readonly nanoUsd: number | null };

export type Reservation = {
  /** The call was answered. */
  settle(usage: Usage, costNanoUsd: number | null): void;
  /** It failed; with what it used as far as that is known. */
  fail(usage: Usage | null, costNanoUsd: number | null): void;
  /** No call was made. */
  cancel(): void;
};

type Held = { readonly purpose: string; readonly estimate: Estimate };
type Waiting = { readonly held: Held; admit(): void; refuse(error: ModelError): void };
type Dimension = "calls" | "tokens" | "usd";
type Shortage = {
  readonly dimension: Dimension;
  readonly limit: number;
  readonly spent: number;
  readonly purpose?: string;
};

/**
 * A call is sent when what was spent, what the calls in flight may use and what it may use itself fit the limits; it
 * waits while calls in flight may still leave room, and is refused when none is. The limits can be passed only by what
 * calls in flight use beyond their estimates.
 */
export class Ledger {
  readonly #limits: BudgetLimits;
  readonly #purposes: Readonly<Record<string, BudgetLimits>>;
  readonly #rows = new Map<string, LedgerRow>();
  readonly #inFlight = new Set<Held>();
  readonly #queue: Waiting[] = [];

  constructor(options: LedgerOptions = {}) {
    this.#limits = options.limits ?? {};
    this.#purposes = options.purposes ?? {};
    if (options.state === undefined) return;
    for (const row of parseLedgerState(options.state).rows) this.#rows.set(keyOf(row.model, row.purpose), row);
  }

  /** ModelError `budget_exhausted` or `price_unknown` before anything is sent. */
  async reserve(model: string, purpose: string, estimate: Estimate, signal?: AbortSignal): Promise<Reservation> {
    const held: Held = { purpose, estimate };
    this.#requirePrice(model, held);
    await this.#turn(held, signal);
    const release = (change?: (row: LedgerRow) => void) => {
      if (!this.#inFlight.delete(held)) return;
      change?.(this.#row(model, purpose));
      this.#admitWaiting();
    };
    return {
      settle: (usage, cost) =>
        release((row) => {
          row.calls++;
          addUse(row, usage);
          if (usage.inputTokens === null || usage.outputTokens === null) {
            row.callsOfUnknownTokens++;
            row.assumedTokens += Math.max(0, estimate.tokens - (usage.inputTokens ?? 0) - (usage.outputTokens ?? 0));
          }
          row.costNanoUsd += cost ?? 0;
          if (cost === null) {
            row.callsOfUnknownCost++;
            row.assumedNanoUsd += estimate.nanoUsd ?? 0;
          }
        }),
      fail: (usage, cost) =>
        release((row) => {
          row.calls++;
          row.failed++;
          if (usage) addUse(row, usage);
          row.costNanoUsd += cost ?? 0;
        }),
      cancel: () => release(),
    };
  }

  replayed(model: string, purpose: string): void {
    this.#row(model, purpose).replayed++;
  }

  rows(): readonly LedgerRow[] {
    const ordered = [...this.#rows.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
    return ordered.map(([, row]) => ({ ...row }));
  }

  totals(purpose?: string): LedgerTotals {
    return addRows([...this.#rows.values()].filter((row) => purpose === undefined || row.purpose === purpose));
  }

  state(): LedgerState {
    return { version: 1, rows: [...this.rows()] };
  }

  #turn(held: Held, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const leave = () => signal?.removeEventListener("abort", abort);
      const waiting: Waiting = {
        held,
        admit: () => {
          leave();
          resolve();
        },
        refuse: (error) => {
          leave();
          reject(error);
        },
      };
      const abort = () => {
        const index = this.#queue.indexOf(waiting);
        if (index === -1) return;
        this.#queue.splice(index, 1);
        reject(signal?.reason);
        this.#admitWaiting();
      };
      signal?.addEventListener("abort", abort, { once: true });
      this.#queue.push(waiting);
      this.#admitWaiting();
    });
  }

  /** In the order in which they came, so that a large call isn't starved by small ones. */
  #admitWaiting(): void {
    for (let first = this.#queue[0]; first; first = this.#queue[0]) {
      const shortage = this.#shortage(first.held);
      if (shortage && this.#mayFreeRoom(first.held, shortage)) return;
      this.#queue.shift();
      if (shortage) first.refuse(exhausted(first.held, shortage));
      else {
        this.#inFlight.add(first.held);
        first.admit();
      }
    }
  }

  #shortage(held: Held): Shortage | null {
    const whole = firstShortage(this.#limits, this.totals(), [...this.#inFlight], held);
    if (whole) return whole;
    const limits = this.#purposes[held.purpose];
    if (!limits) return null;
    const flying = [...this.#inFlight].filter((other) => other.purpose === held.purpose);
    const part = firstShortage(limits, this.totals(held.purpose), flying, held);
    return part && { ...part, purpose: held.purpose };
  }

  #mayFreeRoom(held: Held, shortage: Shortage): boolean {
    if (shortage.dimension === "calls") return false;
    const fitsAlone = shortage.spent + amount(held, shortage.dimension) <= shortage.limit;
    const flying = [...this.#inFlight];
    return fitsAlone && flying.some((other) => shortage.purpose === undefined || other.purpose === shortage.purpose);
  }

  #requirePrice(model: string, { purpose, estimate }: Held): void {
    const isLimited = this.#limits.usd !== undefined || this.#purposes[purpose]?.usd !== undefined;
    if (!isLimited || estimate.nanoUsd !== null) return;
    throw new ModelError({
      code: "price_unknown",
      message: `the price of ${model} is not known, so that no budget in dollars can be held`,
      remedy: "set its price in the profile, or limit tokens or calls instead",
    });
  }

  #row(model: string, purpose: string): LedgerRow {
    const key = keyOf(model, purpose);
    let row = this.#rows.get(key);
    if (!row) {
      row = emptyRow(model, purpose);
      this.#rows.set(key, row);
    }
    return row;
  }
}

const keyOf = (model: string, purpose: string) => JSON.stringify([purpose, model]);

function addUse(row: LedgerRow, usage: Usage): void {
  row.inputTokens += usage.inputTokens ?? 0;
  row.cachedInputTokens += usage.cachedInputTokens ?? 0;
  row.outputTokens += usage.outputTokens ?? 0;
  row.reasoningTokens += usage.reasoningTokens ?? 0;
}

function amount({ estimate }: Held, dimension: Dimension): number {
  if (dimension === "calls") return 1;
  return dimension === "tokens" ? estimate.tokens : (estimate.nanoUsd ?? 0);
}

function firstShortage(
  limits: BudgetLimits,
  totals: LedgerTotals,
  flying: readonly Held[],
  held: Held,
): Shortage | null {
  const spent = {
    calls: totals.calls,
    tokens: totals.inputTokens + totals.outputTokens + totals.assumedTokens,
    usd: totals.costNanoUsd + totals.assumedNanoUsd,
  };
  for (const dimension of ["calls", "tokens", "usd"] as const) {
    const told = limits[dimension];
    if (told === undefined) continue;
    const limit = dimension === "usd" ? Math.round(told * 1e9) : told;
    const reserved = flying.reduce((sum, other) => sum + amount(other, dimension), 0);
    if (spent[dimension] + reserved + amount(held, dimension) > limit)
      return { dimension, limit, spent: spent[dimension] };
  }
  return null;
}

function exhausted(held: Held, { dimension, limit, spent, purpose }: Shortage): ModelError {
  const show = (value: number) => (dimension === "usd" ? `$${(value / 1e9).toFixed(4)}` : `${value} ${dimension}`);
  const next = dimension === "calls" ? "" : `, and the next call may use ${show(amount(held, dimension))}`;
  return new ModelError({
    code: "budget_exhausted",
    message: `the budget${purpose === undefined ? "" : ` of ${purpose}`} is ${show(limit)}; ${show(spent)} are spent${next}`,
    remedy: "raise the limit and resume the run; nothing was sent",
    details: { dimension, limit, spent },
  });
}
