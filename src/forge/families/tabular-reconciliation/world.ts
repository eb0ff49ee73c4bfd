import type { Random } from "../../../statistics/index.ts";
import type { Difficulty } from "../family.ts";
import { drawFirms } from "../words/index.ts";
import { type Currency, convert, currencies, drawRates, nearestTie, type Rates } from "./money.ts";

export type Invoice = {
  readonly reference: string;
  readonly customer: string;
  readonly day: number;
  /** What is owed in the end, cents of the base currency. */
  readonly cents: number;
  readonly isVoid: boolean;
  /** How often the export holds the row. */
  readonly copies: number;
  /** What the export says, when corrections came later. */
  readonly exported: number;
  readonly revisions: readonly { readonly revision: number; readonly cents: number | null }[];
};
export type Payment = {
  readonly source: "bank" | "card";
  readonly day: number;
  readonly currency: Currency;
  readonly minor: number;
  readonly references: readonly string[];
  readonly payer: string;
};
export type World = {
  readonly difficulty: Difficulty;
  readonly company: string;
  readonly prefix: string;
  readonly word: string;
  readonly year: number;
  readonly rates: Rates;
  readonly rounding: "half-up" | "half-even";
  readonly invoices: readonly Invoice[];
  readonly payments: readonly Payment[];
  /** The day as of which things are judged. */
  readonly asOf: number;
};

const accents = ["Müller", "Søndergård", "Châtelain", "Åkesson", "Núñez", "Größle", "Førde", "Pérez"];

/** Draws what was billed and what was paid, then how the books came to know of it. */
export function drawWorld(random: Random, difficulty: Difficulty): World {
  const [prefix, word] = random.pick([
    ["INV", "Invoice"],
    ["RE", "Rechnung"],
    ["FAC", "Facture"],
    ["BILL", "Bill no"],
  ] as const);
  const year = random.integer(2023, 2026);
  const firms = drawFirms(random, random.integer(9, 14));
  const company = firms.pop() as string;
  const customers = firms.map((firm, index) =>
    difficulty >= 3 && index % 3 === 0 ? `${random.pick(accents)} ${firm}` : firm,
  );
  const first = Math.floor(Date.UTC(year, random.integer(0, 5), 1) / 86_400_000);
  const last = first + random.integer(100, 150);
  const asOf = last + random.integer(20, 60);
  const base = random.pick(["EUR", "EUR", "CHF", "GBP", "USD"] as const);
  const others = (Object.keys(currencies) as Currency[]).filter((currency) => currency !== base);
  const rates = drawRates(
    random.fork("rates"),
    base,
    difficulty >= 3 ? random.sample(others, 3) : [],
    first - 9,
    last + 45,
  );
  const rounding = random.pick(["half-up", "half-even"] as const);
  const count = 26 + difficulty * 7 + random.integer(0, 8);
  const invoices: Invoice[] = [];
  const payments: Payment[] = [];
  let number = random.integer(3, 700);
  const nextReference = () => {
    number += random.integer(1, 4);
    return `${prefix}-${year}-${String(number).padStart(5, "0")}`;
  };
  const cashDay = (day: number) => day + random.integer(2, 40);
  const source = () => (difficulty >= 2 && random.boolean(0.35) ? "card" : "bank") as "bank" | "card";

  const receive = (reference: string, customer: string, day: number, isForeign: boolean): number => {
    const currency = isForeign ? random.pick(rates.foreign) : base;
    const paidOn = cashDay(day);
    const drawn = random.integer(1_500, 480_000) * (currencies[currency].exponent === 0 ? 2 : 1);
    const minor = isForeign && random.boolean(0.3) ? nearestTie(rates, currency, drawn, paidOn) : drawn;
    payments.push({ source: source(), day: paidOn, currency, minor, references: [reference], payer: customer });
    return convert(rates, currency, minor, paidOn, rounding);
  };
  const add = (
    reference: string,
    customer: string,
    day: number,
    cents: number,
    corrected: "no" | "amount" | "void",
  ) => {
    const revisions: { revision: number; cents: number | null }[] = [];
    let exported = cents;
    if (corrected !== "no") {
      exported = cents + random.integer(1, 90) * 100 * (cents < 0 ? -1 : 1);
      const steps = random.integer(1, 3);
      for (let revision = 1; revision <= steps; revision++) {
        const isLast = revision === steps;
        const interim = random.boolean(0.4) ? null : cents + random.integer(1, 50) * 50;
        revisions.push({ revision, cents: isLast ? (corrected === "void" ? null : cents) : interim });
      }
    }
    const copies = difficulty >= 2 && invoices.length % 9 === 4 ? random.integer(2, 3) : 1;
    invoices.push({ reference, customer, day, cents, isVoid: corrected === "void", copies, exported, revisions });
  };

  for (let index = 0; index < count; index++) {
    const reference = nextReference();
    const customer = random.pick(customers);
    const day = random.integer(first, last);
    const isForeign = difficulty >= 3 && index % 3 === 1;
    const corrected =
      difficulty >= 4 && index % 6 === 2 ? "amount" : difficulty >= 4 && index % 12 === 7 ? "void" : "no";
    const fate = index % 10;
    if (fate === 3 || fate === 9) add(reference, customer, day, random.integer(2_000, 600_000), corrected);
    else if (fate === 6) {
      const paid = receive(reference, customer, day, isForeign);
      const off = random.pick([-1, 1]) * random.integer(1, Math.max(1, Math.min(4_000, paid - 100)));
      add(reference, customer, day, paid + off, corrected);
    } else if (difficulty === 5 && fate === 5) {
      let paid = receive(reference, customer, day, isForeign);
      paid += receive(reference, customer, day, isForeign);
      const last = payments.at(-1) as Payment;
      if (random.boolean()) {
        const back = { ...last, day: last.day + random.integer(1, 9), minor: -last.minor };
        payments.push(back);
        paid += convert(rates, back.currency, back.minor, back.day, rounding);
      }
      add(reference, customer, day, paid, corrected);
    } else if (difficulty >= 4 && fate === 8) {
      const refund = random.integer(900, 60_000);
      payments.push({
        source: "bank",
        day: cashDay(day),
        currency: base,
        minor: -refund,
        references: [reference],
        payer: customer,
      });
      add(reference, customer, day, -refund, "no");
    } else add(reference, customer, day, receive(reference, customer, day, isForeign), corrected);
  }
  if (difficulty === 5)
    for (let group = 0; group < 3; group++) {
      const customer = random.pick(customers);
      const day = random.integer(first, last);
      const parts = Array.from({ length: random.integer(2, 3) }, () => ({
        reference: nextReference(),
        cents: random.integer(5_000, 200_000),
      }));
      for (const part of parts) add(part.reference, customer, day, part.cents, "no");
      const total = parts.reduce((sum, part) => sum + part.cents, 0) - (group === 0 ? random.integer(10, 900) : 0);
      payments.push({
        source: "bank",
        day: cashDay(day),
        currency: base,
        minor: total,
        references: random.shuffle(parts.map((part) => part.reference)),
        payer: customer,
      });
    }
  for (let index = 0; index < random.integer(3, 5); index++)
    receive(nextReference(), random.pick(customers), random.integer(first, last), difficulty >= 3 && index === 1);
  return {
    difficulty,
    company,
    prefix,
    word,
    year,
    rates,
    rounding,
    invoices: random.shuffle(invoices),
    payments: random.shuffle(payments).sort((a, b) => a.day - b.day),
    asOf,
  };
}
