import type { Question } from "../../composition/index.ts";
import { byText } from "../facts.ts";
import { clausesText } from "../files.ts";
import { compareTable, type Setting, sourcesOf, writeTable } from "./setting.ts";

/** Who asks for what. */
export function constraints(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const path = `${folder}/${random.pick(["constraints", "who-asks", "edges"])}.tsv`;
  const columns = ["package", "asked_by", "constraints"];
  const rows = facts.selected.flatMap(({ name }) =>
    [...(facts.selection.askers.get(name) ?? [])]
      .sort(([a], [b]) => byText(a, b))
      .map(([asker, clauses]) => [name, asker, clausesText(clauses).split(" ").filter(Boolean).sort(byText).join(" ")]),
  );
  const solve = (condition: string) => `
rows = [[name, asker, " ".join(sorted(clauses))] for name in selected for asker, clauses in sorted(askers[name].items())${condition}]
${writeTable(path, columns).replace('lineterminator="\\n"', 'lineterminator="\\n", delimiter="\\t"')}`;
  return {
    key: "constraints",
    shape: "constraint-table",
    artefact: path,
    format: "tab-separated with header",
    statement: "Every constraint that a selected package is under is listed with who asks",
    demand: `\`${path}\`, separated by tabs, header \`${columns.join("\t")}\`: a row for each selected package and each selected release that needs it (by whatever name)${facts.world.difficulty >= 5 ? ", constraints that were set aside included" : ""}, and one with \`wanted\` for the wanted list if that names it. In the third column the constraints as they are written, sorted as text and separated by blanks; empty if there are none. Rows sorted by the first column, then by the second.`,
    derivation: "needs of the selected releases that count, and the wanted list",
    ordering: "by package, then by who asks",
    sources: sourcesOf(setting),
    expected: { columns, rows },
    solve: solve(""),
    mistake: { name: "the wanted list forgotten", solve: solve(' if asker != "wanted"') },
    check: compareTable(path).replace(`v.csv("${path}")`, `v.csv("${path}", "\\t")`),
  };
}
