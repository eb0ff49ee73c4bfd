import type { Random } from "../../../statistics/index.ts";
import type { FixtureFile } from "../family.ts";
import { type Event, instant, type World } from "./world.ts";

const texts = ["upstream timed out", "retry 2 of 5", "pool exhausted", "ok", "slow query", "socket closed"];

export const incomingNames = (index: number) => [
  `incoming/piece-${index + 1}.log`,
  `incoming/retractions-${index + 1}.jsonl`,
];

/** What comes in with a piece. */
export function incomingFiles(random: Random, world: World, index: number): FixtureFile[] {
  const { events, retractions } = world.pieces[index] as World["pieces"][number];
  const { renamed, format } = world;
  const [log, withdrawn] = incomingNames(index) as [string, string];
  const line = ({ id, time, host, service, level }: Event) => {
    const name = renamed !== null && index > 0 && service === renamed.service ? renamed.alias : service;
    const text = random.pick(texts);
    return format === "json"
      ? JSON.stringify({ id, time: instant(time), host, service: name, level, text })
      : `${instant(time)} ${host} ${name} ${level} #${id} ${text}`;
  };
  const piece = { path: log, content: events.map((event) => `${line(event)}\n`).join("") };
  if (index === 0) return [piece];
  const lines = retractions.map((entry) =>
    JSON.stringify("host" in entry ? { ...entry, from: instant(entry.from), until: instant(entry.until) } : entry),
  );
  return [piece, { path: withdrawn, content: lines.map((entry) => `${entry}\n`).join("") }];
}

/** The rules that hold for all pieces. */
export function standingFiles(world: World): FixtureFile[] {
  const { difficulty, format } = world;
  const rules = [
    "# How this incident is kept",
    "",
    `The log comes in pieces, ${format === "json" ? "one JSON object a line" : "lines of `<time> <host> <service> <level> #<id> <text>`"}. Only events of level ERROR matter. \`/app/incoming\` holds one piece at a time; it is taken away when the next one comes.`,
    ...(difficulty >= 2
      ? [
          "A piece may begin with events of the piece before. The `id` decides: an event that is known already is not new.",
        ]
      : []),
    "",
    "- `/app/incident/timeline.csv`: all errors of all pieces so far. Header `id,time,host,service,retraction`, ascending by time, events of the same second by `id` as text. Times like `2026-03-01T08:00:00Z`. `retraction` is empty for an event that counts, otherwise the number of the retraction that took it out; such rows stay.",
    "- `/app/incident/counts.json`: one object, service to the number of its errors that count. Every service of `/app/services.txt` is in it, with 0 when it has none.",
    "- `/app/incident/peak.json`: `piece` (number of the latest piece), `minute` (`YYYY-MM-DDTHH:MM`) and `errors`: the minute with the most errors that count, over all pieces, the earliest when several have as many.",
    `- \`/app/incident/notes.txt\`: the running notes. With each piece ${difficulty >= 3 ? "these lines are" : "this line is"} added at the end:`,
    "",
    "      piece 1: 20 new errors, 20 counted, 0 retracted",
    ...(difficulty >= 3 ? ["      piece 1: 2026-03-01T08:00:00Z to 2026-03-01T08:31:40Z"] : []),
    "",
    `  New are those that this piece added to the timeline; counted and retracted are over all pieces${difficulty >= 3 ? "; the times are those of the first and the last event that counts" : ""}. What the notes said before is never changed, right or wrong.`,
    "",
    "## Retractions",
    "",
    "`retractions-N.jsonl` comes with piece N: some events turn out to be tests of our own. It is worked through line by line after the piece's events are in the timeline. `ids` names events that don't count any more, of whatever piece.",
    ...(difficulty >= 3
      ? [
          "`host`, `from` and `until` mean all events of that host in the timeline from `from` to just before `until`. Events that come in later are not meant.",
          "`withdrawn` takes an earlier retraction back: the events that carry its number count again.",
        ]
      : []),
    "An event that is retracted already keeps the number that it has.",
    "",
  ];
  return [
    { path: "INCIDENT.md", content: rules.join("\n") },
    { path: "services.txt", content: world.services.map((service) => `${service}\n`).join("") },
  ];
}
