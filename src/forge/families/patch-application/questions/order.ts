import type { Question } from "../../composition/index.ts";
import { appliedOf, compareLines, type Setting, sourcesOf } from "./setting.ts";

/** The order in which patches went in. */
export function order(setting: Setting): Question {
  const { random, folder } = setting;
  const path = `${folder}/${random.pick(["applied-patches", "applied.txt", "order.txt"])}`;
  const solve = (names: string) => `
Path("${path}").write_text("".join(f"{name}\\n" for name in ${names}))`;
  return {
    key: "order",
    shape: "applied-series",
    artefact: path,
    format: "text lines",
    statement: "The patches that changed the tree are listed in the order in which they were applied",
    demand: `\`${path}\`: the names of the patches that changed something in the tree, one a line, in the order in which they were applied.`,
    derivation: "the order by the rules, without what changed nothing",
    ordering: "as applied",
    sources: sourcesOf(setting),
    expected: appliedOf(setting).map(({ name }) => name),
    solve: solve("applied"),
    mistake: { name: "by name", solve: solve("sorted(applied)") },
    check: compareLines(path),
  };
}
