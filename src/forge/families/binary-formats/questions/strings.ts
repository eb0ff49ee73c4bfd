import type { Question } from "../../composition/index.ts";
import { compareJson, type Setting, sourcesOf, writeJson } from "./setting.ts";

/** Strings that nothing refers to. */
export function strings(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const path = `${folder}/${random.pick(["unused", "idle-channels", "silent"])}.json`;
  const expected = Object.fromEntries(
    facts.world.captures.map((capture) => {
      const used = new Set(facts.sound.filter((one) => one.capture === capture).map(({ channel }) => channel));
      return [capture.file, capture.channels.filter((name) => !used.has(name))];
    }),
  );
  const solve = (condition: string) =>
    writeJson(
      path,
      `{name: [string for string in h["strings"] if ${condition} (name, string) in {(record["file"], record["channel"]) for record in sound}] for name, h in headers.items()}`,
    );
  return {
    key: "strings",
    shape: "unused-strings",
    artefact: path,
    format: "JSON object of arrays",
    statement: "Channels of the string tables that no record uses are listed",
    demand: `\`${path}\`: for each file name an array of the strings in its string table to which no${facts.world.format.difficulty >= 3 ? " sound" : ""} record of that file refers, in the order of the table.`,
    derivation: "string tables against the channels of the records",
    ordering: "as in the table",
    sources: sourcesOf(setting),
    expected,
    solve: solve("not"),
    mistake: { name: "the used ones in place of the unused", solve: solve("") },
    check: compareJson(path),
  };
}
