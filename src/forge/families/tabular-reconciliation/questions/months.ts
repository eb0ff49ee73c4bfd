import type { Question } from "../../composition/index.ts";
import { isoDay } from "../money.ts";
import { byText, compareTable, type Setting, sum, writeTable } from "./setting.ts";

/** Billed and received by month of issue. */
export function months({ random, facts, folder, sources }: Setting): Question {
  const path = `${folder}/by-month.csv`;
  const columns = random.pick([
    ["month", "invoices", "billed_cents", "paid_cents"],
    ["period", "count", "billed", "received"],
  ]);
  const groups = new Map<string, [number, number, number]>();
  for (const [number, invoice] of facts.ledger) {
    const month = isoDay(invoice.day).slice(0, 7);
    const [count, billed, received] = groups.get(month) ?? [0, 0, 0];
    groups.set(month, [count + 1, billed + invoice.cents, received + (facts.paid.get(number) ?? 0)]);
  }
  const rows = [...groups].sort(([a], [b]) => byText(a, b)).map(([month, numbers]) => [month, ...numbers.map(String)]);
  const total = ["total", ...[0, 1, 2].map((index) => String(sum(rows.map((row) => Number(row[index + 1])))))];
  const solve = (last: string) => `
groups = {}
for number, invoice in ledger.items():
    entry = groups.setdefault(invoice["date"][:7], [0, 0, 0])
    entry[0] += 1
    entry[1] += invoice["cents"]
    entry[2] += paid.get(number, 0)
rows = [[month, *numbers] for month, numbers in sorted(groups.items())]
${last}
${writeTable(path, columns)}`;
  return {
    key: "months",
    shape: "pivot-with-total-row",
    artefact: path,
    format: "CSV with header and a total row",
    statement: "Months of issue are summed, with a total",
    demand: `\`${path}\` with the header \`${columns.join(",")}\`: for each month of issue (\`YYYY-MM\`, ascending; months without invoices left out) the number of invoices that stand, the cents billed, and the cents received for them whenever they came; a last row \`total\` sums the columns up.`,
    derivation: "ledger with its payments, by month of issue",
    ordering: "month, the total last",
    sources,
    expected: { columns, rows: [...rows, total] },
    solve: solve(`rows.append(["total", *(sum(row[i] for row in rows) for i in (1, 2, 3))])`),
    mistake: { name: "no total", solve: solve("") },
    check: compareTable(path),
  };
}
