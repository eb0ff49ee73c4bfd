import type { World } from "./world.ts";

const gaps = {
  skip: "A start at a time that the clocks skip does not take place.",
  after: "A start at a time that the clocks skip takes place at the instant at which they jump.",
  shift:
    "A start at a time that the clocks skip is read with the offset from before the jump, so it takes place as much later on the wall as the clocks were put forward.",
};
const overlaps = {
  first: "A start at a time that the clocks show twice takes place the first time only.",
  second: "A start at a time that the clocks show twice takes place the second time only.",
  both: "A start at a time that the clocks show twice takes place both times.",
};

/** The rules that the agent works from. */
export function rulesDocument({ difficulty, gapPolicy, overlapPolicy }: World): string {
  const kinds = [
    "- `daily HH:MM`: every day.",
    "- `weekly Mon+Thu HH:MM`: on these days of the week.",
    "- `every Nh from HH:MM`: at that time and every N hours after it, up to the end of the same day; the next day begins anew.",
    ...(difficulty >= 2
      ? [
          "- `workdays HH:MM`: on every working day of the job's zone.",
          "- `monthly D HH:MM`: on day D of the month, or on the month's last day when it has no day D; `monthly last HH:MM`: on its last day; `monthly last workday HH:MM`: on the last working day of the month.",
        ]
      : []),
    ...(difficulty >= 4
      ? [
          "- `cron M H DOM MON DOW`: the five fields of crontab: numbers, `*`, lists `a,b`, ranges `a-b` and steps `a-b/n`; DOW 0 is Sunday. When both DOM and DOW are restricted (not `*`), a day matches when either of them does.",
        ]
      : []),
  ];
  const parts = [
    "# How jobs start",
    `\`jobs.txt\` has a line for each job, fields separated by semicolons: name, zone, host, minutes that a run takes, rule. \`#\` begins a comment. Times in rules are on the wall clock of the job's zone; days and dates are those of the wall.`,
    `## Rules\n\n${kinds.join("\n")}`,
    difficulty >= 3
      ? "## Zones\n\n`zones.csv`: `standard` is what the wall is ahead of UTC, `summer` the same while summer time is in force (empty: there is none). `begins` and `ends` say when, every year: which Sunday of which month, and the time, either on the wall as it is before the change (`local`) or in UTC (`UTC`; then it is the Sunday by UTC). In the south the summer lies over the turn of the year."
      : "## Zones\n\n`zones.csv`: `offset` is what the wall is ahead of UTC. None of these zones has summer time.",
  ];
  if (difficulty >= 2)
    parts.push(
      "## Working days\n\nA working day is one that is neither in the `weekend` of the zone (`zones.csv`) nor one of its `holidays.csv`. `opens` and `closes` are the hours of business of a working day.",
    );
  if (difficulty >= 3) parts.push(`## When the clocks change\n\n${gaps[gapPolicy]} ${overlaps[overlapPolicy]}`);
  if (difficulty >= 4)
    parts.push(
      "## Windows\n\n`windows.csv`: from `from` (included) to `to` (excluded), both UTC, nothing starts. A start that falls in there is left out (`drop`) or takes place at the end of the window (`defer`). A job that would thereby start twice at one instant starts once.",
    );
  if (difficulty >= 5)
    parts.push(
      "## Exceptions\n\n`exceptions.csv`: on this date of its wall the job's rule gives no start; there is one at `time` instead, or none when it is `cancelled`. What is said above about clocks and windows holds for these starts too.\n\n`moves.csv`: from the instant `from` (UTC) the wall of the zone is ahead of UTC by `offset` for good. The law took effect at that instant, not before.",
    );
  return `${parts.join("\n\n")}\n`;
}
