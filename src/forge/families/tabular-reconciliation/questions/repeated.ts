import type { Question } from "../../composition/index.ts";
import { byText, type Setting } from "./setting.ts";

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
