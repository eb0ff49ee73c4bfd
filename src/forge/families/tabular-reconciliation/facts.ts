import { convert } from "./money.ts";
import type { Invoice, Payment, World } from "./world.ts";

export type Facts = {
  readonly world: World;
  /** Invoices that stand, by reference. */
  readonly ledger: ReadonlyMap<string, Invoice>;
  /** Cents that came in for each reference. */
  readonly paid: ReadonlyMap<string, number>;
  readonly matched: readonly string[];
  readonly differing: readonly string[];
  readonly unpaid: readonly string[];
  readonly unknown: readonly string[];
};

/** Derivations in which a bug can be planted. */
export const derivations = ["rounding", "voided-invoices", "collective-payments", "refunds"] as const;

function* shares(
  payment: Payment,
  cents: number,
  ledger: ReadonlyMap<string, Invoice>,
  bug: string | null,
): Generator<[string, number]> {
  let left = cents;
  for (const [index, reference] of payment.references.entries()) {
    const isLast = index === payment.references.length - 1 || bug === "collective-payments";
    const share = isLast ? left : (ledger.get(reference)?.cents ?? 0);
    left -= share;
    yield [reference, share];
    if (isLast) return;
  }
}

/** What is true of the world as it was drawn; `bug` names a derivation to get wrong. */
export function deriveFacts(world: World, bug: string | null): Facts {
  const standing = world.invoices.filter((invoice) => bug === "voided-invoices" || !invoice.isVoid);
  const ledger = new Map(
    [...standing].sort((a, b) => (a.reference < b.reference ? -1 : 1)).map((invoice) => [invoice.reference, invoice]),
  );
  const paid = new Map<string, number>();
  const rounding = bug === "rounding" ? "down" : world.rounding;
  for (const payment of world.payments) {
    if (bug === "refunds" && payment.minor < 0) continue;
    const cents = convert(world.rates, payment.currency, payment.minor, payment.day, rounding);
    for (const [reference, share] of shares(payment, cents, ledger, bug))
      paid.set(reference, (paid.get(reference) ?? 0) + share);
  }
  const references = [...ledger.keys()];
  const both = references.filter((reference) => paid.has(reference));
  const agrees = (reference: string) => ledger.get(reference)?.cents === paid.get(reference);
  return {
    world,
    ledger,
    paid,
    matched: both.filter(agrees),
    differing: both.filter((reference) => !agrees(reference)),
    unpaid: references.filter((reference) => !paid.has(reference)),
    unknown: [...paid.keys()].filter((reference) => !ledger.has(reference)).sort(),
  };
}
