import type { Question } from "../../composition/index.ts";
import { instantText, offsetText } from "../clock.ts";
import { byText } from "../facts.ts";
import { compareTable, type Setting, sourcesOf, writeTable } from "./setting.ts";

/** When which zone changes its offset in the year; only where clocks change. */
export function transitions(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const { world, clocks } = facts;
  const path = `${folder}/${random.pick(["transitions", "offset-changes", "clock-table"])}.csv`;
  const columns = random.pick([
    ["zone", "instant", "before", "after"],
    ["zone", "utc", "old_offset", "new_offset"],
  ]);
  const rows = [...world.zones]
    .sort((a, b) => byText(a.name, b.name))
    .flatMap((zone) =>
      (clocks.get(zone)?.transitions ?? []).map(({ at, before, after }) => [
        zone.name,
        instantText(at),
        offsetText(before),
        offsetText(after),
      ]),
    );
  const solve = (minute: string) => `
rows = []
for name, zone in sorted(zones.items()):
    for at, before, after in zone["changes"]:
        rows.append([name, iso(${minute}) + "Z", offset_text(before), offset_text(after)])
${writeTable(path, columns)}`;
  return {
    key: "transitions",
    shape: "transition-table",
    artefact: path,
    format: "CSV with header",
    statement: "All changes of offsets in the year are listed",
    demand: `\`${path}\`, header \`${columns.join(",")}\`: every instant of the year ${world.year} at which a zone of \`zones.csv\` changes its offset, in UTC as \`YYYY-MM-DDTHH:MMZ\`, with the offset before and after as \`+HH:MM\` or \`-HH:MM\`. Sorted by zone, then instant.`,
    derivation: "rules of summer time for the year",
    ordering: "by zone, then instant",
    sources: sourcesOf(setting),
    expected: { columns, rows },
    solve: solve("at"),
    mistake: { name: "wall times in place of UTC", solve: solve("at + before") },
    check: compareTable(path),
  };
}
