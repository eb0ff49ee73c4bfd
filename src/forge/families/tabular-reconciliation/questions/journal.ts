import type { Question } from "../../composition/index.ts";
import { isoDay } from "../money.ts";
import { type Setting, sum } from "./setting.ts";

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
