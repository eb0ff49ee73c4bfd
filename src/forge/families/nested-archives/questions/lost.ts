import type { Question } from "../../composition/index.ts";
import { type Setting, sourcesOf } from "./setting.ts";

/** What is gone. */
export function lost({ random, facts, folder }: Setting): Question {
  const path = `${folder}/${random.pick(["lost", "missing", "gone"])}.txt`;
  const solve = (part: string) => `
Path("${path}").write_text("".join(f"{path}\\n" for path in lost${part}))`;
  return {
    key: "lost",
    shape: "missing-lines",
    artefact: path,
    format: "text lines",
    statement: "Catalogued files that can't be had whole are listed",
    demand: `\`${path}\`: the catalogued paths that can't be had whole from anywhere, one a line, in alphabetical (byte) order.`,
    derivation: "catalogue minus recovered files",
    ordering: "ascending",
    sources: sourcesOf(facts),
    expected: facts.lost,
    solve: solve(""),
    mistake: { name: "stops one early", solve: solve("[:-1]") },
    check: `v.equal(v.lines("${path}"), wanted, "${path}")`,
  };
}
