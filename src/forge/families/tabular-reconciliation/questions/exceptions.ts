import type { Question } from "../../composition/index.ts";
import { byText, compareTable, type Setting, writeTable } from "./setting.ts";

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
