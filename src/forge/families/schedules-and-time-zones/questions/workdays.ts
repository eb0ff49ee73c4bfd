import type { Question } from "../../composition/index.ts";
import { dateText, dayMinutes } from "../clock.ts";
import { byText } from "../facts.ts";
import { compareJson, type Setting, sourcesOf, writeJson } from "./setting.ts";

/** Working days of each zone. */
export function workdays(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const { world } = facts;
  const path = `${folder}/${random.pick(["workdays", "working-days", "business-days"])}.json`;
  const first = world.from / dayMinutes;
  const nth = random.integer(5, 11);
  const days = Array.from({ length: (world.to - world.from) / dayMinutes }, (_, index) => first + index);
  const expected = Object.fromEntries(
    [...world.zones]
      .sort((a, b) => byText(a.name, b.name))
      .map((zone) => {
        const working = days.filter((day) => facts.isWorkday(zone, day));
        return [zone.name, { count: working.length, chosen: dateText(working[nth - 1] as number) }];
      }),
  );
  const solve = (index: number) => `
working = {}
for name, zone in sorted(zones.items()):
    days = [day_text(number) for number in range(FROM // 1440, TO // 1440) if is_workday(zone, date.fromisoformat(day_text(number)))]
    working[name] = {"count": len(days), "chosen": days[${index}]}
${writeJson(path, "working")}`;
  return {
    key: "workdays",
    shape: "working-day-table",
    artefact: path,
    format: "JSON object of objects",
    statement: "The working days of each zone are counted, and one of them is named",
    demand: `\`${path}\`: for each zone an object with \`count\`, the working days from ${dateText(first)} to ${dateText(first + days.length - 1)} (both included), and \`chosen\`, the date of the ${nth}th of them as \`YYYY-MM-DD\`.`,
    derivation: "weekends and holidays of each zone",
    sources: sourcesOf(setting),
    expected,
    solve: solve(nth - 1),
    mistake: { name: "counted from zero", solve: solve(nth) },
    check: compareJson(path),
  };
}
