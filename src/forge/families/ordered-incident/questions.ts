import { compareJson, compareTable, type Question, writeJson, writeTable } from "../composition/index.ts";
import type { Known } from "./facts.ts";
import { incomingNames } from "./files.ts";
import { instant, type World } from "./world.ts";

const paths = {
  timeline: "/app/incident/timeline.csv",
  counts: "/app/incident/counts.json",
  peak: "/app/incident/peak.json",
  notes: "/app/incident/notes.txt",
};

/** Python that brings `events` (id to [time, host, service, retraction]) up to the piece. */
export function preludeFor(world: World, index: number): string {
  const { clock } = world.pieces[index] as World["pieces"][number];
  const [log, retractions] = incomingNames(index);
  const { renamed, format } = world;
  return [
    `import csv
import json
from datetime import datetime, timedelta
from pathlib import Path

PIECE = ${index + 1}
SERVICES = Path("/app/services.txt").read_text().split()
NAMES = ${JSON.stringify(renamed === null || index === 0 ? {} : { [renamed.alias]: renamed.service })}
Path("/app/incident").mkdir(exist_ok=True)
events = {}`,
    index === 0
      ? ""
      : `for row in csv.DictReader(open("${paths.timeline}")):
    events[row["id"]] = [row["time"], row["host"], row["service"], row["retraction"]]`,
    clock === null
      ? ""
      : `for event in events.values():
    if event[1] == "${clock.host}":
        right = datetime.strptime(event[0], "%Y-%m-%dT%H:%M:%SZ") - timedelta(seconds=${clock.ahead})
        event[0] = right.strftime("%Y-%m-%dT%H:%M:%SZ")`,
    `known = len(events)
for line in open("/app/${log}"):`,
    format === "json"
      ? `    entry = json.loads(line)
    number, time, host, service, level = (entry[key] for key in ("id", "time", "host", "service", "level"))`
      : `    time, host, service, level, number, _ = line.split(" ", 5)
    number = number[1:]`,
    `    if level == "ERROR" and number not in events:
        events[number] = [time, host, NAMES.get(service, service), ""]
fresh = len(events) - known`,
    index === 0
      ? ""
      : `for line in open("/app/${retractions}"):
    entry = json.loads(line)
    for number, event in events.items():
        if "withdrawn" in entry:
            if event[3] == str(entry["withdrawn"]):
                event[3] = ""
        elif event[3] == "":
            if "ids" in entry:
                meant = number in entry["ids"]
            else:
                meant = event[1] == entry["host"] and entry["from"] <= event[0] < entry["until"]
            if meant:
                event[3] = str(entry["retraction"])`,
    `counted = sorted(event[0] for event in events.values() if event[3] == "")
lines = [f"piece {PIECE}: {fresh} new errors, {len(counted)} counted, {len(events) - len(counted)} retracted"]`,
    world.difficulty >= 3 ? `lines.append(f"piece {PIECE}: {counted[0]} to {counted[-1]}")` : "",
  ]
    .filter((block) => block !== "")
    .join("\n");
}

/** What is asked for when a piece has come in. */
export function questionsFor(world: World, known: readonly Known[], index: number): Question[] {
  const now = known[index] as Known;
  const piece = index + 1;
  const sources = [
    ...incomingNames(index)
      .slice(0, index === 0 ? 1 : 2)
      .map((path) => `/app/${path}`),
    ...(index === 0 ? [] : [paths.timeline]),
  ];
  const columns = ["id", "time", "host", "service", "retraction"];
  const writeTimeline = (order: string) => `rows = [[number, *event] for number, event in events.items()]
rows.sort(key=lambda row: ${order})
${writeTable(paths.timeline, columns)}`;
  const earlier = known.slice(0, index).flatMap(({ notes }) => notes);
  const append = (text: string) => `with open("${paths.notes}", "a") as target:
    target.write("".join(line + "\\n" for line in ${text}))`;
  const timeline: Question = {
    key: "timeline",
    shape: index === 0 ? "sorted-csv" : "carried-forward-table",
    artefact: paths.timeline,
    format: "CSV with header",
    statement: `The timeline holds every error up to piece ${piece}`,
    demand: `Bring \`${paths.timeline}\` up to piece ${piece}.`,
    derivation: "errors of all pieces, with what retracted them",
    ordering: "time, then id",
    sources,
    expected: {
      columns,
      rows: now.timeline.map(({ event, retraction }) => [
        event.id,
        instant(event.time),
        event.host,
        event.service,
        retraction === null ? "" : String(retraction),
      ]),
    },
    solve: writeTimeline("(row[1], row[0])"),
    mistake: { name: "in order of id", solve: writeTimeline("row[0]") },
    check: compareTable(paths.timeline),
  };
  const counts: Question = {
    key: "counts",
    shape: index === 0 ? "json-object" : "counts-after-retraction",
    artefact: paths.counts,
    format: "JSON object of integers",
    statement: "Errors that count are counted by service",
    demand: `\`${paths.counts}\` must have the counts as they are with piece ${piece}.`,
    derivation: "the timeline by service, retracted events left out",
    sources,
    expected: now.counts,
    solve: `counts = {service: 0 for service in SERVICES}
for _, _, service, retraction in events.values():
    counts[service] += retraction == ""
${writeJson(paths.counts, "counts")}`,
    mistake: {
      name: index === 0 ? "without the services that have none" : "with the retracted ones",
      solve: `counts = {${index === 0 ? "" : "service: 0 for service in SERVICES"}}
for _, _, service, _ in events.values():
    counts[service] = counts.get(service, 0) + 1
${writeJson(paths.counts, "counts")}`,
    },
    check: compareJson(paths.counts),
  };
  const writePeak = (minute: string) => `minutes = {}
for time in counted:
    minutes[time[:16]] = minutes.get(time[:16], 0) + 1
minute = min(minutes, key=lambda entry: (-minutes[entry], entry))
${writeJson(paths.peak, `{"piece": PIECE, "minute": ${minute}, "errors": minutes[minute]}`)}`;
  const peak: Question = {
    key: "peak",
    shape: "argmax-object",
    artefact: paths.peak,
    format: "JSON object",
    statement: "The worst minute so far is named",
    demand: `\`${paths.peak}\` must name the worst minute so far.`,
    derivation: "errors that count, by minute",
    sources,
    expected: now.peak,
    solve: writePeak("minute"),
    mistake: { name: "with seconds", solve: writePeak('minute + ":00"') },
    check: compareJson(paths.peak),
  };
  const notes: Question = {
    key: "notes",
    shape: "appended-lines",
    artefact: paths.notes,
    format: "text lines",
    statement: `The notes end with what piece ${piece} brought`,
    demand: `Add piece ${piece} to the notes in \`${paths.notes}\`${index === 0 ? "" : ", after what they say already"}.`,
    derivation: "the timeline before and after the piece",
    sources,
    expected: now.notes,
    solve: append("lines"),
    mistake: {
      name: "in words of its own",
      solve: append('[line.replace(" retracted", " gone") for line in lines]'),
    },
    check: `v.equal(v.lines("${paths.notes}")[${earlier.length}:], wanted, "the new lines of ${paths.notes}")`,
  };
  const kept: Question = {
    key: "notes_before",
    kind: "invariant",
    shape: "earlier-lines-stay",
    artefact: paths.notes,
    format: "text lines",
    statement: "The notes still begin with what they said before this piece",
    demand: `What \`${paths.notes}\` said before this piece stays, line by line.`,
    derivation: "none: it was written in the steps before",
    negatives: ["an earlier line put right"],
    sources: [paths.notes],
    expected: earlier,
    solve: "",
    mistake: {
      name: "earlier line put right",
      solve: `said = Path("${paths.notes}").read_text()
Path("${paths.notes}").write_text(said.replace(" 0 retracted", f" {len(events) - len(counted)} retracted", 1))`,
    },
    check: `v.equal(v.lines("${paths.notes}")[:${earlier.length}], wanted, "the earlier lines of ${paths.notes}")`,
  };
  return [timeline, counts, ...(world.difficulty >= 2 ? [peak] : []), notes, ...(index === 0 ? [] : [kept])];
}
