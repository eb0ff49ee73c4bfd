import type { Random } from "../../../statistics/index.ts";
import type { FixtureFile } from "../family.ts";
import { dateText, instantText, offsetText, timeText, weekdayNames } from "./clock.ts";
import { rulesDocument } from "./document.ts";
import { monthName, ruleText } from "./rule.ts";
import type { World } from "./world.ts";
import type { Change, Zone } from "./zone.ts";

const changeText = ({ nth, month, minute, clock }: Change) =>
  `${{ 1: "1st", 2: "2nd", "-1": "last" }[nth]} Sun ${monthName(month)} ${timeText(minute)} ${clock}`;

function zoneRow({ name, standard, summer, weekend, opens, closes }: Zone, difficulty: number): string {
  const clocks =
    difficulty < 3
      ? [offsetText(standard)]
      : summer === null
        ? [offsetText(standard), "", "", ""]
        : [
            offsetText(standard),
            offsetText(standard + summer.save),
            changeText(summer.begins),
            changeText(summer.ends),
          ];
  const hours =
    difficulty < 2 ? [] : [weekend.map((day) => weekdayNames[day]).join("+"), timeText(opens), timeText(closes)];
  return [name, ...clocks, ...hours].join(",");
}

const table = (header: string, rows: readonly string[]) => [header, ...rows].map((row) => `${row}\n`).join("");

export function worldFiles(random: Random, world: World): FixtureFile[] {
  const { root, difficulty, zones, jobs } = world;
  const file = (name: string, content: string) => ({ path: `${root}/${name}`, content });
  const clocks = difficulty < 3 ? "offset" : "standard,summer,begins,ends";
  const lines = random
    .shuffle(jobs)
    .map(({ name, zone, host, minutes, rule }) => `${[name, zone.name, host, minutes, ruleText(rule)].join("; ")}\n`);
  const files = [
    file("RULES.md", rulesDocument(world)),
    file("jobs.txt", `# name; zone; host; minutes; rule\n${lines.join("")}`),
    file(
      "zones.csv",
      table(
        `zone,${clocks}${difficulty >= 2 ? ",weekend,opens,closes" : ""}`,
        random.shuffle(zones).map((zone) => zoneRow(zone, difficulty)),
      ),
    ),
  ];
  if (difficulty >= 2)
    files.push(
      file(
        "holidays.csv",
        table(
          "zone,date,name",
          random.shuffle(world.holidays).map(({ zone, day, name }) => `${zone.name},${dateText(day)},${name}`),
        ),
      ),
      file(
        "tickets.csv",
        table(
          "ticket,zone,opened,minutes",
          world.tickets.map(({ id, zone, opened, minutes }) => `${id},${zone.name},${instantText(opened)},${minutes}`),
        ),
      ),
    );
  if (difficulty >= 4)
    files.push(
      file(
        "windows.csv",
        table(
          "from,to,policy",
          world.windows.map(({ from, to, policy }) => `${instantText(from)},${instantText(to)},${policy}`),
        ),
      ),
    );
  if (difficulty >= 5)
    files.push(
      file(
        "exceptions.csv",
        table(
          "job,date,time",
          random
            .shuffle(world.exceptions)
            .map(
              ({ job, day, minute }) => `${job},${dateText(day)},${minute === null ? "cancelled" : timeText(minute)}`,
            ),
        ),
      ),
      file(
        "moves.csv",
        table(
          "zone,from,offset",
          zones.flatMap(({ name, moved }) =>
            moved === null ? [] : [`${name},${instantText(moved.at)},${offsetText(moved.offset)}`],
          ),
        ),
      ),
    );
  return files;
}
