import type { Question } from "../../composition/index.ts";
import { dateText, dayMinutes } from "../clock.ts";
import { byText } from "../facts.ts";
import { compareTable, type Setting, sourcesOf, writeTable } from "./setting.ts";

/** How busy each day of the walls is. */
export function perDay(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const path = `${folder}/${random.pick(["per-day", "load", "daily-counts"])}.csv`;
  const columns = random.pick([
    ["zone", "date", "starts", "minutes"],
    ["zone", "day", "runs", "total_minutes"],
  ]);
  const sums = new Map<string, [number, number]>();
  for (const { job, start, offset } of facts.runs) {
    const key = `${job.zone.name},${dateText(Math.floor((start + offset) / dayMinutes))}`;
    const [count, minutes] = sums.get(key) ?? [0, 0];
    sums.set(key, [count + 1, minutes + job.minutes]);
  }
  const rows = [...sums]
    .sort(([a], [b]) => byText(a, b))
    .map(([key, [count, minutes]]) => [...key.split(","), String(count), String(minutes)]);
  const solve = (minute: string) => `
sums = {}
for start, name, job in runs:
    wall = ${minute}
    entry = sums.setdefault((job["zone"], day_text(wall // 1440)), [0, 0])
    entry[0] += 1
    entry[1] += job["minutes"]
rows = [[*key, *entry] for key, entry in sorted(sums.items())]
${writeTable(path, columns)}`;
  return {
    key: "per_day",
    shape: "runs-per-local-day",
    artefact: path,
    format: "CSV with header",
    statement: "Starts and their minutes are summed up by zone and local date",
    demand: `\`${path}\`, header \`${columns.join(",")}\`: for each zone and each date on its wall with at least one start, the number of starts of the zone's jobs and the minutes that these take together (a run counts wholly for the date on which it starts). Sorted by zone, then date (\`YYYY-MM-DD\`).`,
    derivation: "starts by local date",
    ordering: "by zone, then date",
    sources: sourcesOf(setting),
    expected: { columns, rows },
    solve: solve('start + offset_at(zones[job["zone"]], start)'),
    mistake: { name: "dates off by a day", solve: solve('start + 1440 + offset_at(zones[job["zone"]], start)') },
    check: compareTable(path),
  };
}
