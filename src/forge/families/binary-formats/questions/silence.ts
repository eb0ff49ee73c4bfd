import type { Question } from "../../composition/index.ts";
import { byText, isoTime, type Reading } from "../facts.ts";
import { compareTable, type Setting, sourcesOf, writeTable } from "./setting.ts";

/** The longest time without a measurement. */
export function silence(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const path = `${folder}/${random.pick(["silence", "outages", "pauses"])}.csv`;
  const columns = random.pick([
    ["device", "from", "to", "seconds"],
    ["station", "last_before", "first_after", "length"],
  ]);
  const times = new Map<string, number[]>();
  for (const { capture, time } of facts.readings as readonly Reading[])
    times.set(capture.device.name, [...(times.get(capture.device.name) ?? []), time]);
  const rows = [...times]
    .sort(([a], [b]) => byText(a, b))
    .map(([name, found]) => {
      const sorted = [...found].sort((a, b) => a - b);
      let best: [number, number] = [sorted[0] as number, sorted[1] as number];
      sorted.slice(1).forEach((time, index) => {
        if (time - (sorted[index] as number) > best[1] - best[0]) best = [sorted[index] as number, time];
      });
      return [name, isoTime(best[0]), isoTime(best[1]), String(best[1] - best[0])];
    });
  const solve = (which: string) => `
times = {}
for r in readings:
    times.setdefault(r["name"], []).append(r["time"])
rows = []
for name, found in sorted(times.items()):
    found.sort()
    pairs = list(zip(found, found[1:]))
    a, b = ${which}
    rows.append([name, iso(a), iso(b), b - a])
${writeTable(path, columns)}`;
  return {
    key: "silence",
    shape: "longest-silence",
    artefact: path,
    format: "CSV with header",
    statement: "For each device the longest time between two measurements is given",
    demand: `\`${path}\`, header \`${columns.join(",")}\`, sorted by device name: for each device with a file the longest stretch between two measurements that follow each other in time (over all its files): the time before, the time after (both \`YYYY-MM-DDTHH:MM:SSZ\`), the length in seconds; of equally long ones the earliest.`,
    derivation: "times of the measurements by device",
    ordering: "by device name",
    sources: sourcesOf(setting),
    expected: { columns, rows },
    solve: solve("max(pairs, key=lambda pair: (pair[1] - pair[0], -pair[0]))"),
    mistake: { name: "the shortest stretch", solve: solve("min(pairs, key=lambda pair: pair[1] - pair[0])") },
    check: compareTable(path),
  };
}
