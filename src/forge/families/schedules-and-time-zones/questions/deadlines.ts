import type { Question } from "../../composition/index.ts";
import { dayMinutes, instantText } from "../clock.ts";
import type { Facts } from "../facts.ts";
import type { Ticket } from "../world.ts";
import type { WallClock } from "../zone.ts";
import { compareTable, type Setting, sourcesOf, writeTable } from "./setting.ts";

function deadlineOf({ clocks, isWorkday }: Facts, { zone, opened, minutes }: Ticket): number {
  const clock = clocks.get(zone) as WallClock;
  let left = minutes;
  for (let day = Math.floor(opened / dayMinutes) - 1; ; day++) {
    if (!isWorkday(zone, day)) continue;
    const [opens, closes] = [zone.opens, zone.closes].map(
      (minute) => clock.instantsOf(day * dayMinutes + minute)[0] as number,
    ) as [number, number];
    const begins = Math.max(opens, opened);
    if (begins >= closes) continue;
    if (left <= closes - begins) return begins + left;
    left -= closes - begins;
  }
}

/** Until when each ticket must be answered. */
export function deadlines(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const path = `${folder}/${random.pick(["deadlines", "sla", "due"])}.csv`;
  const columns = random.pick([
    ["ticket", "due"],
    ["id", "deadline"],
  ]);
  const solve = (opened: string) => `
rows = []
for row in table("tickets.csv"):
    zone, opened, left = zones[row["zone"]], instant(row["opened"]), int(row["minutes"])
    number, due = opened // 1440 - 1, None
    while due is None:
        if is_workday(zone, date.fromisoformat(day_text(number))):
            opens, closes = (instants_of(zone, number * 1440 + clock_minutes(zone[key]))[0] for key in ("opens", "closes"))
            begins = max(opens, ${opened})
            if begins < closes:
                if left <= closes - begins:
                    due = begins + left
                left -= closes - begins
        number += 1
    rows.append([row["ticket"], iso(due) + "Z"])
${writeTable(path, columns)}`;
  return {
    key: "deadlines",
    shape: "sla-deadlines",
    artefact: path,
    format: "CSV with header",
    statement: "The deadline of each ticket is worked out in hours of business",
    demand: `\`tickets.csv\` says when a ticket was opened (UTC), in which zone it is handled, and how many minutes of business it may take: only minutes between \`opens\` and \`closes\` on working days of the zone count, from the opening on. Write \`${path}\`, header \`${columns.join(",")}\`, in the order of \`tickets.csv\`: the ticket and the instant at which its minutes are used up, as \`YYYY-MM-DDTHH:MMZ\`. When that is exactly the close of business, it is that close and not the next opening.`,
    derivation: "hours of business of each zone from the opening of the ticket",
    ordering: "as in tickets.csv",
    sources: sourcesOf(setting),
    expected: {
      columns,
      rows: facts.world.tickets.map((ticket) => [ticket.id, instantText(deadlineOf(facts, ticket))]),
    },
    solve: solve("opened"),
    mistake: { name: "the clock runs from the start of the day", solve: solve("0") },
    check: compareTable(path),
  };
}
