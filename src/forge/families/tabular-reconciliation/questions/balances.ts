import type { Question } from "../../composition/index.ts";
import { byText, compareTable, type Setting, writeTable } from "./setting.ts";

/** What each customer still owes. */
export function balances({ random, facts, folder, sources }: Setting): Question {
  const path = `${folder}/${random.pick(["balances", "customers", "accounts"])}.csv`;
  const columns = random.pick([
    ["customer", "billed_cents", "paid_cents", "open_cents"],
    ["name", "billed", "received", "balance"],
  ]);
  const { ledger, paid } = facts;
  const byCustomer = new Map<string, [number, number]>();
  for (const [number, invoice] of ledger) {
    const [billed, received] = byCustomer.get(invoice.customer) ?? [0, 0];
    byCustomer.set(invoice.customer, [billed + invoice.cents, received + (paid.get(number) ?? 0)]);
  }
  const rows = [...byCustomer]
    .map(([name, [billed, received]]) => ({ name, billed, received, open: billed - received }))
    .filter((row) => row.open !== 0)
    .sort((a, b) => b.open - a.open || byText(a.name, b.name))
    .map((row) => [row.name, String(row.billed), String(row.received), String(row.open)]);
  const solve = (order: string) => `
customers = {}
for number, invoice in ledger.items():
    entry = customers.setdefault(invoice["customer"], [0, 0])
    entry[0] += invoice["cents"]
    entry[1] += paid.get(number, 0)
rows = [[name, billed, received, billed - received] for name, (billed, received) in customers.items() if billed != received]
rows.sort(key=lambda row: ${order})
${writeTable(path, columns)}`;
  return {
    key: "balances",
    shape: "ranked-balance-csv",
    artefact: path,
    format: "CSV with header, UTF-8",
    statement: "Customers whose account isn't even are listed with their balance",
    demand: `Per customer, \`${path}\` (UTF-8, header \`${columns.join(",")}\`): what was billed, what came in for their invoices, and billed minus received, in cents. Only customers for whom the last isn't zero; the largest first, equal ones by name. Money for invoice numbers that aren't in the books counts for nobody. Names exactly as in the ledger.`,
    derivation: "ledger with its payments, by customer",
    ordering: "balance descending, then name",
    sources,
    expected: { columns, rows },
    solve: solve("(-row[3], row[0])"),
    mistake: { name: "smallest first", solve: solve("(row[3], row[0])") },
    check: compareTable(path),
  };
}
