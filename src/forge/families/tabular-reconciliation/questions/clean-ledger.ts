import type { Question } from "../../composition/index.ts";
import { isoDay } from "../money.ts";
import { byText, type Setting } from "./setting.ts";

/** The books as they should be. */
export function cleanLedger({ random, facts, folder, sources }: Setting): Question {
  const path = `${folder}/${random.pick(["ledger-clean", "normalised", "books"])}.jsonl`;
  const [number, customer, day, cents] = random.pick([
    ["invoice", "customer", "issued", "cents"],
    ["id", "debtor", "date", "amount_cents"],
  ] as const);
  const rows = [...facts.ledger.values()]
    .sort((a, b) => a.day - b.day || byText(a.reference, b.reference))
    .map((invoice) => ({
      [number]: invoice.reference,
      [customer]: invoice.customer,
      [day]: isoDay(invoice.day),
      [cents]: invoice.cents,
    }));
  const solve = (slice: string) => `
with open("${path}", "w", encoding="utf-8") as target:
    for number, invoice in sorted(ledger.items(), key=lambda item: (item[1]["date"], item[0]))${slice}:
        entry = {"${number}": number, "${customer}": invoice["customer"], "${day}": invoice["date"], "${cents}": invoice["cents"]}
        target.write(json.dumps(entry, ensure_ascii=False) + "\\n")`;
  return {
    key: "clean_ledger",
    shape: "normalised-jsonl",
    artefact: path,
    format: "JSON lines, UTF-8",
    statement: "The ledger is written out once for each invoice that stands, normalised",
    demand: `A clean copy of the ledger as \`${path}\` (UTF-8): one JSON object a line for every invoice that stands, with \`${number}\`, \`${customer}\` (as in the ledger), \`${day}\` (YYYY-MM-DD) and \`${cents}\` (a whole number), sorted by day of issue, then number.`,
    derivation: "ledger without repetitions, corrected, amounts in cents",
    ordering: "day, then number",
    sources,
    expected: rows,
    solve: solve(""),
    mistake: { name: "loses the first", solve: solve("[1:]") },
    check: `v.equal(v.json_lines("${path}"), wanted, "${path}")`,
  };
}
