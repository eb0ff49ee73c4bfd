import type { Question } from "../../composition/index.ts";
import { byText } from "../facts.ts";
import { compareJson, type Setting, sourcesOf, writeJson } from "./setting.ts";

/** Figures for each channel. */
export function statistics(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const { decimals, difficulty } = facts.world.format;
  const path = `${folder}/${random.pick(["channels", "statistics", "extremes"])}.json`;
  const values = new Map<string, number[]>();
  for (const { channel, value } of facts.readings)
    if (value !== null) values.set(channel, [...(values.get(channel) ?? []), value]);
  const solve = (position: string) => `
values = {}
for r in readings:
    if r["value"] is not None:
        values.setdefault(r["channel"], []).append(r["value"])
${writeJson(path, `{name: {"count": len(found), "lowest": min(found), "median": sorted(found)[${position}], "highest": max(found)} for name, found in sorted(values.items())}`)}`;
  return {
    key: "statistics",
    shape: "channel-statistics",
    artefact: path,
    format: "JSON object of objects",
    statement: "For each channel the number of values, the lowest, the median and the highest are given",
    demand: `\`${path}\`: for each channel name with at least one value, over all devices, an object with \`count\`, \`lowest\`, \`median\` and \`highest\`. Values are whole numbers of ${decimals === 1 ? "tenths" : "hundredths"}, as stored; the median of an even number of values is the lower of the two in the middle${difficulty >= 2 ? "; measurements without a value don't count" : ""}.`,
    derivation: "values of the measurements by channel name",
    sources: sourcesOf(setting),
    expected: Object.fromEntries(
      [...values]
        .sort(([a], [b]) => byText(a, b))
        .map(([name, found]) => {
          const sorted = [...found].sort((a, b) => a - b);
          return [
            name,
            {
              count: sorted.length,
              lowest: sorted[0],
              median: sorted[(sorted.length - 1) >> 1],
              highest: sorted.at(-1),
            },
          ];
        }),
    ),
    solve: solve("(len(found) - 1) // 2"),
    mistake: { name: "the first value in place of the median", solve: solve("0") },
    check: compareJson(path),
  };
}
