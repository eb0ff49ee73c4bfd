import type { Question } from "../../composition/index.ts";
import { byText } from "../facts.ts";
import { compareJson, type Setting, sourcesOf, writeJson } from "./setting.ts";

/** Which numbers are missing. */
export function gaps(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const path = `${folder}/${random.pick(["gaps", "missing", "holes"])}.json`;
  const seen = new Map<string, Set<number>>();
  for (const { capture, entry } of facts.sound)
    seen.set(capture.device.name, (seen.get(capture.device.name) ?? new Set()).add(entry.sequence));
  const rangesOf = (numbers: Set<number>) => {
    const sorted = [...numbers].sort((a, b) => a - b);
    return sorted.flatMap((number, index) => {
      const next = sorted[index + 1];
      return next === undefined || next === number + 1 ? [] : [[number + 1, next - 1]];
    });
  };
  const solve = (end: string) => `
seen = {}
for record in sound:
    seen.setdefault(record["name"], set()).add(record["sequence"])
gaps = {}
for name, numbers in sorted(seen.items()):
    numbers = sorted(numbers)
    gaps[name] = [[a + 1, ${end}] for a, b in zip(numbers, numbers[1:]) if b > a + 1]
${writeJson(path, "gaps")}`;
  return {
    key: "gaps",
    shape: "sequence-gaps",
    artefact: path,
    format: "JSON object of arrays of pairs",
    statement: "The numbers that are missing are given for each device as ranges",
    demand: `\`${path}\`: for each device name that has a file, an array of the ranges of record numbers that are missing between its lowest and highest, as \`[first missing, last missing]\`, ascending. Every${facts.world.format.difficulty >= 3 ? " sound" : ""} record counts as there, whatever it holds.`,
    derivation: "numbers of sound records per device, over all files",
    ordering: "ascending",
    sources: sourcesOf(setting),
    expected: Object.fromEntries(
      [...seen].sort(([a], [b]) => byText(a, b)).map(([name, numbers]) => [name, rangesOf(numbers)]),
    ),
    solve: solve("b - 1"),
    mistake: { name: "ranges that include the next record", solve: solve("b") },
    check: compareJson(path),
  };
}
