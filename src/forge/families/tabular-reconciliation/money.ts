import type { Random } from "../../../statistics/index.ts";

export const currencies = {
  EUR: { exponent: 2, dollars: 1.09 },
  USD: { exponent: 2, dollars: 1 },
  GBP: { exponent: 2, dollars: 1.27 },
  CHF: { exponent: 2, dollars: 1.13 },
  SEK: { exponent: 2, dollars: 0.096 },
  JPY: { exponent: 0, dollars: 0.0067 },
} as const;
export type Currency = keyof typeof currencies;
export type Rounding = "half-up" | "half-even" | "down";

/** Rates to the base currency in millionths, by day; weekends and a few holidays have none. */
export type Rates = {
  readonly base: Currency;
  readonly foreign: readonly Currency[];
  readonly rows: readonly { readonly day: number; readonly currency: Currency; readonly millionths: number }[];
};

export const isoDay = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);

export function drawRates(
  random: Random,
  base: Currency,
  foreign: readonly Currency[],
  from: number,
  to: number,
): Rates {
  const rows: Rates["rows"][number][] = [];
  const current = new Map(
    foreign.map((currency) => [currency, (currencies[currency].dollars / currencies[base].dollars) * 1e6]),
  );
  const holidays = new Set(Array.from({ length: 3 }, () => random.integer(from + 9, to)));
  for (let day = from; day <= to; day++) {
    const weekday = (day + 4) % 7;
    for (const currency of foreign) {
      const next = (current.get(currency) as number) * (1 + (random.next() - 0.5) * 0.006);
      current.set(currency, next);
      // Four decimals of a rate near one: exact halves of a cent do occur.
      const step = currency === "JPY" ? 1 : 100;
      if (weekday !== 0 && weekday !== 6 && !holidays.has(day))
        rows.push({ day, currency, millionths: Math.round(next / step) * step });
    }
  }
  return { base, foreign, rows };
}

/** The rate that holds on a day: its own, or the latest before it. */
export function rateOn(rates: Rates, currency: Currency, day: number): number {
  let found = 0;
  for (const row of rates.rows) if (row.currency === currency && row.day <= day) found = row.millionths;
  return found;
}

/** Cents of the base currency for an amount in minor units; exact integers throughout. */
export function convert(rates: Rates, currency: Currency, minor: number, day: number, rounding: Rounding): number {
  if (currency === rates.base) return minor;
  const scaled = Math.abs(minor) * 10 ** (2 - currencies[currency].exponent) * rateOn(rates, currency, day);
  const whole = Math.floor(scaled / 1e6);
  const rest = scaled - whole * 1e6;
  const up =
    rounding === "half-up"
      ? rest >= 5e5
      : rounding === "half-even"
        ? rest > 5e5 || (rest === 5e5 && whole % 2 === 1)
        : false;
  return Math.sign(minor) * (whole + (up ? 1 : 0));
}

/** An amount near `minor` whose conversion ends on exactly half a cent; `minor` itself when there is none near. */
export function nearestTie(rates: Rates, currency: Currency, minor: number, day: number): number {
  const rate = rateOn(rates, currency, day) * 10 ** (2 - currencies[currency].exponent);
  for (let amount = minor; amount < minor + 10_000; amount++) if ((amount * rate) % 1e6 === 5e5) return amount;
  return minor;
}
