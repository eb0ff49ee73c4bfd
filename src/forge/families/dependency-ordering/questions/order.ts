import type { Question } from "../../composition/index.ts";
import { compareLines, type Setting, sourcesOf } from "./setting.ts";

/** In which order to install. */
export function order(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const path = `${folder}/${random.pick(["order", "install-order", "sequence"])}.txt`;
  const solve = (names: string) => `
Path("${path}").write_text("".join(f"{name}\\n" for name in ${names}))`;
  return {
    key: "order",
    shape: "topological-order",
    artefact: path,
    format: "text lines",
    statement: "The order of installation is given",
    demand: `In \`${path}\` the order of installation of all selected packages by the rules, as if nothing were installed yet: one name a line.`,
    derivation: "needs of the selected releases and After, smallest name first",
    ordering: "by the rules",
    sources: sourcesOf(setting),
    expected: facts.order,
    solve: solve("order"),
    mistake: { name: "ignores After", solve: solve("arrange({})[0]") },
    check: compareLines(path),
  };
}
