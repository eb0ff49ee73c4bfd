import type { Question } from "../../composition/index.ts";
import { type Setting, sourcesOf } from "./setting.ts";

const stamp = (minute: number) => `${new Date(minute * 60_000).toISOString().slice(0, 16).replaceAll(/[-:]/g, "")}00Z`;

/** The runs of one host as a calendar file. */
export function calendar(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const { runs } = facts;
  const host = random.pick(runs).job.host;
  const path = `${folder}/${host}.ics`;
  const events = runs
    .filter(({ job }) => job.host === host)
    .map(({ job, start }) => [
      "BEGIN:VEVENT",
      `UID:${job.name}-${start}@${host}`,
      `SUMMARY:${job.name}`,
      `DTSTART:${stamp(start)}`,
      `DTEND:${stamp(start + job.minutes)}`,
      "END:VEVENT",
    ]);
  const solve = (end: string) => `
stamp = lambda minute: (datetime(1970, 1, 1) + timedelta(minutes=minute)).strftime("%Y%m%dT%H%M%SZ")
lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//ops//runs//EN"]
for start, name, job in runs:
    if job["host"] == "${host}":
        lines += ["BEGIN:VEVENT", f"UID:{name}-{start}@${host}", f"SUMMARY:{name}", f"DTSTART:{stamp(start)}", "DTEND:" + stamp(${end}), "END:VEVENT"]
Path("${path}").write_bytes("".join(line + "\\r\\n" for line in [*lines, "END:VCALENDAR"]).encode())`;
  return {
    key: "calendar",
    shape: "icalendar-export",
    artefact: path,
    format: "iCalendar",
    statement: `The runs on ${host} are exported as a calendar`,
    demand: `For the wall display, the runs on \`${host}\` as a calendar \`${path}\`: lines end with CR LF; first \`BEGIN:VCALENDAR\`, \`VERSION:2.0\`, \`PRODID:-//ops//runs//EN\`, then for each run, by start and name, the six lines \`BEGIN:VEVENT\`, \`UID:\` with \`job-minutes@${host}\` (the job's name, and the start in whole minutes since 1970-01-01T00:00Z), \`SUMMARY:\` with the job's name, \`DTSTART:\` and \`DTEND:\` in the form \`20240131T235900Z\` (UTC), \`END:VEVENT\`, and at the end \`END:VCALENDAR\`.`,
    derivation: "starts and lengths of the host's runs",
    ordering: "by start, then name",
    sources: sourcesOf(setting),
    expected: ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//ops//runs//EN", ...events.flat(), "END:VCALENDAR"],
    solve: solve('start + job["minutes"]'),
    mistake: { name: "no length", solve: solve("start") },
    check: `text = v.text("${path}")
v.expect(text.endswith("\\r\\n") and text.count("\\n") == text.count("\\r\\n"), "${path}: lines must end with CR LF")
v.equal(text.split("\\r\\n")[:-1], wanted, "${path}")`,
  };
}
