import type { Random } from "../../../statistics/index.ts";
import type { Question } from "../composition/index.ts";
import type { Facts } from "./facts.ts";
import { decimal } from "./files.ts";
import { type Currency, currencies, isoDay } from "./money.ts";

export type Setting = {
  readonly random: Random;
  readonly facts: Facts;
  readonly folder: string;
  readonly sources: readonly string[];
};

const compareTable = (path: string) => `v.equal(v.csv("${path}"), [wanted["columns"]] + wanted["rows"], "${path}")`;
const writeTable = (path: string, columns: readonly string[]) =>
  `with open("${path}", "w", newline="", encoding="utf-8") as target:
    writer = csv.writer(target, lineterminator="\\n")
    writer.writerow(${JSON.stringify(columns)})
    writer.writerows(rows)`;
const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);
const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** How much agrees and how much doesn't. */
export function totals({ random, facts, folder, sources }: Setting): Question {
  const path = `${folder}/${random.pick(["totals", "summary", "overview"])}.json`;
  const { ledger, paid, matched, differing, unpaid, unknown } = facts;
  const names = random.pick([
    ["matched", "matched_cents", "differing", "difference_cents", "unpaid", "unpaid_cents", "unknown", "unknown_cents"],
    [
      "settled_count",
      "settled_cents",
      "off_count",
      "off_cents",
      "open_count",
      "open_cents",
      "stray_count",
      "stray_cents",
    ],
  ] as const);
  const [m, mc, d, dc, u, uc, k, kc] = names;
  const solve = (strays: string) => `
totals = {
    "${m}": len(matched),
    "${mc}": sum(paid[number] for number in matched),
    "${d}": len(differing),
    "${dc}": sum(ledger[number]["cents"] - paid[number] for number in differing),
    "${u}": len(unpaid),
    "${uc}": sum(ledger[number]["cents"] for number in unpaid),
    "${k}": len(${strays}),
    "${kc}": sum(paid[number] for number in ${strays}),
}
Path("${path}").write_text(json.dumps(totals, indent=2) + "\\n")`;
  const owed = (number: string) => ledger.get(number)!.cents;
  return {
    key: "totals",
    shape: "integer-totals-object",
    artefact: path,
    format: "JSON object of integers",
    statement: "Counts and sums of what agrees, differs, is unpaid and unknown are exact",
    demand: `\`${path}\`, a JSON object of whole numbers: \`${m}\` and \`${mc}\` for the invoices that were paid to the cent; \`${d}\` for those that were paid, but not exactly, with \`${dc}\` the sum over them of billed minus paid; \`${u}\` and \`${uc}\` for those for which nothing came at all (billed cents); \`${k}\` and \`${kc}\` for the invoice numbers for which money came but which are not in the books (how many numbers, and the cents that came).`,
    derivation: "ledger and payments joined by invoice number",
    sources,
    expected: {
      [m]: matched.length,
      [mc]: sum(matched.map((number) => paid.get(number)!)),
      [d]: differing.length,
      [dc]: sum(differing.map((number) => owed(number) - paid.get(number)!)),
      [u]: unpaid.length,
      [uc]: sum(unpaid.map(owed)),
      [k]: unknown.length,
      [kc]: sum(unknown.map((number) => paid.get(number)!)),
    },
    solve: solve("unknown"),
    mistake: { name: "forgets money for unknown numbers", solve: solve("[]") },
    check: `v.equal(v.json("${path}"), wanted, "${path}")`,
  };
}

/** Everything that doesn't agree, line by line. */
export function exceptions({ random, facts, folder, sources }: Setting): Question {
  const path = `${folder}/exceptions.csv`;
  const columns = random.pick([
    ["invoice", "kind", "billed_cents", "paid_cents"],
    ["number", "finding", "owed", "received"],
  ]);
  const [off, open, stray] = random.pick([
    ["differs", "unpaid", "unknown"],
    ["amount", "open", "not_in_books"],
  ] as const);
  const { ledger, paid } = facts;
  const kinds = new Map([
    ...facts.differing.map((number) => [number, off] as const),
    ...facts.unpaid.map((number) => [number, open] as const),
    ...facts.unknown.map((number) => [number, stray] as const),
  ]);
  const rows = [...kinds]
    .sort(([a], [b]) => byText(a, b))
    .map(([number, kind]) => [number, kind, String(ledger.get(number)?.cents ?? ""), String(paid.get(number) ?? "")]);
  const solve = (kinds: string) => `
rows = sorted(
    [number, kind, ledger[number]["cents"] if number in ledger else "", paid.get(number, "")]
    for kind, numbers in ${kinds}
    for number in numbers
)
${writeTable(path, columns)}`;
  return {
    key: "exceptions",
    shape: "exception-table",
    artefact: path,
    format: "CSV with header",
    statement: "Every invoice number that doesn't agree stands in one table with its reason",
    demand: `\`${path}\`, header \`${columns.join(",")}\`: every invoice number that isn't paid to the cent, sorted by number. The second column says \`${off}\` (paid, but another amount), \`${open}\` (nothing came) or \`${stray}\` (money came, not in the books); then cents billed and cents received, empty where there is no such side.`,
    derivation: "ledger and payments joined by invoice number, agreeing ones left out",
    ordering: "by number",
    sources,
    expected: { columns, rows },
    solve: solve(`(("${off}", differing), ("${open}", unpaid), ("${stray}", unknown))`),
    mistake: { name: "forgets the unknown ones", solve: solve(`(("${off}", differing), ("${open}", unpaid))`) },
    check: compareTable(path),
  };
}

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

/** How old the unpaid invoices are. */
export function ageing({ random, facts, folder, sources }: Setting): Question {
  const path = `${folder}/ageing.json`;
  const steps = random.pick([
    [30, 60, 90],
    [45, 90, 120],
    [60, 120, 180],
  ] as const);
  const labels = [`0-${steps[0]}`, `${steps[0] + 1}-${steps[1]}`, `${steps[1] + 1}-${steps[2]}`, `over-${steps[2]}`];
  const asOf = facts.world.asOf;
  const expected = Object.fromEntries(labels.map((label) => [label, { invoices: 0, cents: 0 }]));
  for (const number of facts.unpaid) {
    const invoice = facts.ledger.get(number)!;
    const slot = steps.findIndex((step) => asOf - invoice.day <= step);
    const bucket = expected[labels[slot < 0 ? 3 : slot] as string]!;
    bucket.invoices++;
    bucket.cents += invoice.cents;
  }
  const solve = (numbers: string) => `
today = date.fromisoformat("${isoDay(asOf)}")
labels = ${JSON.stringify(labels)}
ageing = {label: {"invoices": 0, "cents": 0} for label in labels}
for number in ${numbers}:
    age = (today - date.fromisoformat(ledger[number]["date"])).days
    bucket = ageing[labels[sum(age > step for step in ${JSON.stringify(steps)})]]
    bucket["invoices"] += 1
    bucket["cents"] += ledger[number]["cents"]
Path("${path}").write_text(json.dumps(ageing, indent=2) + "\\n")`;
  return {
    key: "ageing",
    shape: "bucket-object",
    artefact: path,
    format: "JSON object of objects",
    statement: "Unpaid invoices are put into buckets by age",
    demand: `How old is what nobody has paid anything for? \`${path}\`: a JSON object with the keys ${labels.map((label) => `\`${label}\``).join(", ")} (days from issue to ${isoDay(asOf)}, limits included), each an object with \`invoices\` (how many) and \`cents\`; empty buckets too.`,
    derivation: "unpaid invoices by days since issue",
    sources,
    expected,
    solve: solve("unpaid"),
    mistake: { name: "takes in what was paid in part", solve: solve("unpaid + differing") },
    check: `v.equal(v.json("${path}"), wanted, "${path}")`,
  };
}

/** The entries that put the differences right. */
export function journal({ random, facts, folder, sources }: Setting): Question {
  const path = `${folder}/journal.txt`;
  const [receivable, loss, gain] = random.pick([
    ["1400", "4730", "4840"],
    ["1200", "6950", "7050"],
    ["411", "658", "758"],
  ] as const);
  const day = isoDay(facts.world.asOf);
  const lines = facts.differing.map((number) => {
    const left = facts.ledger.get(number)!.cents - facts.paid.get(number)!;
    const [debit, credit] = left > 0 ? [loss, receivable] : [receivable, gain];
    return `${day};${debit};${credit};${Math.abs(left)};${number}`;
  });
  const turnover = sum(lines.map((line) => Number(line.split(";")[3])));
  const solve = (gainAccount: string) => `
lines, turnover = [], 0
for number in differing:
    left = ledger[number]["cents"] - paid[number]
    debit, credit = ("${loss}", "${receivable}") if left > 0 else ("${receivable}", "${gainAccount}")
    lines.append(f"${day};{debit};{credit};{abs(left)};{number}")
    turnover += abs(left)
lines.append(f"${day};;;{turnover};TOTAL")
Path("${path}").write_text("\\n".join(lines) + "\\n")`;
  return {
    key: "journal",
    shape: "balanced-journal",
    artefact: path,
    format: "text lines",
    statement: "A journal closes every difference",
    demand: `To close the invoices that were paid with another amount, write \`${path}\`: for each, in order of number, a line \`${day};<debit>;<credit>;<cents>;<number>\`. Paid too little: debit ${loss}, credit ${receivable}. Paid too much: debit ${receivable}, credit ${gain}. Cents are positive. The last line is \`${day};;;<sum of the cents>;TOTAL\`.`,
    derivation: "sign and size of billed minus paid",
    ordering: "by number, the total last",
    sources,
    expected: [...lines, `${day};;;${turnover};TOTAL`],
    solve: solve(gain),
    mistake: {
      name: "leaves out the total",
      solve: `${solve(gain)}\nPath("${path}").write_text("\\n".join(lines[:-1]) + "\\n")`,
    },
    check: `v.equal(v.lines("${path}"), wanted, "${path}")`,
  };
}

/** What came in, by currency, as people read it. */
export function receipts({ random, facts, folder, sources }: Setting): Question {
  const path = `${folder}/receipts.txt`;
  const groups = new Map<Currency, [number, number]>();
  for (const { currency, minor } of facts.world.payments) {
    const [count, total] = groups.get(currency) ?? [0, 0];
    groups.set(currency, [count + 1, total + minor]);
  }
  const [thousands, point, example] = random.pick([
    [",", ".", "12,345.60"],
    [".", ",", "12.345,60"],
    ["", ".", "12345.60"],
  ] as const);
  const lines = [...groups]
    .sort(([a], [b]) => byText(a, b))
    .map(
      ([currency, [count, total]]) =>
        `${currency} ${count} ${total < 0 ? "-" : ""}${decimal(total, currencies[currency].exponent, thousands, point)}`,
    );
  const solve = (extra: string) => `
groups = {}
for payment in payments:
    entry = groups.setdefault(payment["currency"], [0, 0])
    entry[0] += 1
    entry[1] += payment["minor"]
lines = []
for currency, (count, total) in sorted(groups.items()):
    decimals = DECIMALS.get(currency, 2)
    whole, rest = divmod(abs(total)${extra}, 10**decimals)
    text = f"{whole:,}".replace(",", "${thousands}") + (f"${point}{rest:0{decimals}}" if decimals else "")
    lines.append(f"{currency} {count} {'-' if total < 0 else ''}{text}")
Path("${path}").write_text("\\n".join(lines) + "\\n")`;
  return {
    key: "receipts",
    shape: "formatted-amount-lines",
    artefact: path,
    format: "text lines",
    statement: "Receipts are summed by currency and written as decimals",
    demand: `\`${path}\` tells what came in as it came, before any conversion: a line \`<currency> <number of payments> <sum>\` for each currency, in alphabetical order. A payment is a line or entry that names an invoice (in the books or not); refunds count and lower the sum. Sums are written like \`${example}\`${facts.world.difficulty >= 3 ? ", JPY without decimals" : ""}.`,
    derivation: "payments by currency",
    ordering: "by currency",
    sources,
    expected: lines,
    solve: solve(""),
    mistake: { name: "one unit off", solve: solve(" + 1") },
    check: `v.equal(v.lines("${path}"), wanted, "${path}")`,
  };
}

/** The differences that matter most. */
export function largest({ random, facts, folder, sources }: Setting): Question {
  const path = `${folder}/largest.json`;
  const most = random.integer(3, 4);
  const open = [...facts.ledger.keys()]
    .map((number) => ({ number, left: facts.ledger.get(number)!.cents - (facts.paid.get(number) ?? 0) }))
    .sort((a, b) => Math.abs(b.left) - Math.abs(a.left) || byText(a.number, b.number))
    .slice(0, most);
  const solve = (order: string) => `
gaps = [[number, invoice["cents"] - paid.get(number, 0)] for number, invoice in ledger.items()]
gaps.sort(key=lambda gap: ${order})
Path("${path}").write_text(json.dumps(gaps[:${most}]) + "\\n")`;
  return {
    key: "largest",
    shape: "ranked-pairs-array",
    artefact: path,
    format: "JSON array of pairs",
    statement: "The largest gaps between billed and paid are ranked",
    demand: `The ${most} invoices in the books with the largest gap between billed and received, whichever side is larger (nothing received counts as 0), go to \`${path}\`: a JSON array of pairs \`[number, billed minus received in cents]\`, the largest gap first, equal ones by number.`,
    derivation: "billed minus paid by invoice",
    ordering: "absolute gap descending, then number",
    sources,
    expected: open.map(({ number, left }) => [number, left]),
    solve: solve("(-abs(gap[1]), gap[0])"),
    mistake: { name: "smallest gaps", solve: solve("(abs(gap[1]), gap[0])") },
    check: `v.equal(v.json("${path}"), wanted, "${path}")`,
  };
}

/** Rows that the export repeats. */
export function repeated({ random, facts, folder, sources }: Setting): Question {
  const path = `${folder}/${random.pick(["repeated", "double-exports"])}.txt`;
  const rows = facts.world.invoices
    .filter((invoice) => invoice.copies > 1)
    .sort((a, b) => byText(a.reference, b.reference))
    .map((invoice) => `${invoice.reference} ${invoice.copies}`);
  const solve = (least: number) => `
Path("${path}").write_text("".join(f"{number} {count}\\n" for number, count in sorted(copies.items()) if count > ${least}))`;
  return {
    key: "repeated",
    shape: "duplicate-count-lines",
    artefact: path,
    format: "text lines",
    statement: "Invoices that the export repeats are listed with how often they are there",
    demand: `IT wants to know which invoices the ledger's export repeats: \`${path}\`, a line \`<number> <how often it is there>\` for each that is there more than once (later corrections don't matter for this), sorted by number.`,
    derivation: "ledger rows counted by invoice",
    ordering: "by number",
    sources,
    expected: rows,
    solve: solve(1),
    mistake: { name: "lists every invoice", solve: solve(0) },
    check: `v.equal(v.lines("${path}"), wanted, "${path}")`,
  };
}
