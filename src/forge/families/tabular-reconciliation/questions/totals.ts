import type { Question } from "../../composition/index.ts";
import { type Setting, sum } from "./setting.ts";

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
