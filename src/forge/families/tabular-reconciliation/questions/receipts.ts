import type { Question } from "../../composition/index.ts";
import { decimal } from "../files.ts";
import { type Currency, currencies } from "../money.ts";
import { byText, type Setting } from "./setting.ts";

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
