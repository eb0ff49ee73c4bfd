import type { Question } from "../../composition/index.ts";
import { byText } from "../facts.ts";
import { compareJson, type Setting, sourcesOf, writeJson } from "./setting.ts";

/** Which wishes could not be met. */
export function conflicts(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const path = `${folder}/${random.pick(["conflicts", "exceptions", "unmet"])}.json`;
  const five = facts.world.difficulty >= 5;
  const aside = [...facts.selection.setAside].sort(([a], [b]) => byText(a, b));
  const solve = (pairs: string) =>
    `${writeJson(path, `{"after": sorted(${pairs})${five ? ', "constraints": {name: sorted(others) for name, others in sorted(aside.items())}' : ""}}`)}`;
  return {
    key: "conflicts",
    shape: "conflict-report",
    artefact: path,
    format: "JSON object",
    statement: "What had to be passed over is reported",
    demand: `\`${path}\`, a JSON object that says what could not be had: \`after\`, a sorted array of \`[package, other]\` for each \`After\` that was passed over when the order was made (\`package\` should have come after \`other\`)${five ? "; and `constraints`, an object that gives for each package on which constraints were set aside the sorted array of the packages whose they were" : ""}.`,
    derivation: "edges and constraints that the rules pass over",
    ordering: "pairs sorted",
    sources: sourcesOf(setting),
    expected: {
      after: [...facts.ignored].sort((a, b) => byText(a.join(" "), b.join(" "))),
      ...(five ? { constraints: Object.fromEntries(aside) } : {}),
    },
    solve: solve("passed"),
    mistake: { name: "the wrong way round", solve: solve("[pair[::-1] for pair in passed]") },
    check: compareJson(path),
  };
}
