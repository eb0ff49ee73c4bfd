import type { Random } from "../../../statistics/index.ts";
import type { Difficulty } from "../family.ts";

/** How the files of one task are written: names, columns, separators, encodings. */
export type Layout = {
  readonly ledger: {
    readonly path: string;
    readonly delimiter: string;
    readonly encoding: Encoding;
    readonly columns: readonly [string, string, string, string];
  };
  readonly bank: {
    readonly path: string;
    readonly delimiter: string;
    readonly encoding: Encoding;
    /** day, text, payer, amount, currency */
    readonly columns: readonly [string, string, string, string, string];
    readonly number: "plain" | "comma-dot" | "comma-space" | "apostrophe";
    readonly negative: "before" | "after";
    readonly day: "iso" | "dots" | "slashes";
  };
  readonly card: { readonly path: string; readonly amount: "minor" | "text" };
  readonly rates: string;
  readonly corrections: string;
};
export type Encoding = "utf-8" | "cp1252" | "utf-16";

/** Draws a layout; what level 1 reads is plain, each level after it less so. */
export function drawLayout(random: Random, difficulty: Difficulty): Layout {
  const encoding = () => (difficulty >= 3 ? random.pick(["cp1252", "utf-16"] as const) : "utf-8");
  const folder = random.pick(["data", "books", "inbox", "exports"]);
  return {
    ledger: {
      path: `${folder}/${random.pick(["ledger", "receivables", "invoices"])}.${difficulty >= 2 ? random.pick(["csv", "txt"]) : "csv"}`,
      delimiter: difficulty >= 2 ? random.pick([",", "\t", "|"]) : ",",
      encoding: encoding(),
      columns: random.pick([
        ["invoice", "customer", "issued", "amount"],
        ["doc_no", "debtor", "doc_date", "gross"],
        ["number", "client", "date", "total"],
      ] as const),
    },
    bank: {
      path: `${folder}/${random.pick(["bank", "statement", "account-4711"])}.csv`,
      delimiter: difficulty >= 2 ? ";" : ",",
      encoding: encoding(),
      columns:
        difficulty >= 2
          ? random.pick([
              ["Buchungstag", "Verwendungszweck", "Auftraggeber", "Betrag", "Waehrung"],
              ["value date", "remittance", "remitter", "amount", "ccy"],
              ["datum", "omschrijving", "tegenpartij", "bedrag", "munt"],
            ] as const)
          : ["date", "reference", "payer", "amount", "currency"],
      number: difficulty >= 2 ? random.pick(["comma-dot", "comma-space", "apostrophe"] as const) : "plain",
      negative: random.pick(["before", "after"] as const),
      day: difficulty >= 2 ? random.pick(["dots", "slashes"] as const) : "iso",
    },
    card: { path: `${folder}/card-settlements.jsonl`, amount: random.pick(["minor", "text"] as const) },
    rates: `${folder}/rates.csv`,
    corrections: `${folder}/corrections.jsonl`,
  };
}
