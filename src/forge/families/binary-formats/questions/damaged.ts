import type { Question } from "../../composition/index.ts";
import { compareJson, type Setting, sourcesOf, writeJson } from "./setting.ts";

/** Where the damaged records are; asked where records follow each other without noise. */
export function damaged(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const path = `${folder}/${random.pick(["damaged", "broken", "bad-records"])}.json`;
  const solve = (part: string) => writeJson(path, `{name: found${part} for name, found in damaged.items()}`);
  return {
    key: "damaged",
    shape: "damage-report",
    artefact: path,
    format: "JSON object of arrays",
    statement: "The offsets of damaged records are listed for each file",
    demand: `\`${path}\`: for each file name an ascending array of the offsets at which damaged records begin, counted from the start of the file.`,
    derivation: "records whose check is wrong",
    ordering: "ascending",
    sources: sourcesOf(setting),
    expected: Object.fromEntries(
      facts.world.captures.map((capture) => [
        capture.file,
        facts.damaged.filter((one) => one.capture === capture).map(({ offset }) => offset),
      ]),
    ),
    solve: solve(""),
    mistake: { name: "stops at the first", solve: solve("[:1]") },
    check: compareJson(path),
  };
}
