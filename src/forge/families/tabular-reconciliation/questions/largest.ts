import type { Question } from "../../composition/index.ts";
import { byText, type Setting } from "./setting.ts";

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
