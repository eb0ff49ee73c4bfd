import type { Difficulty } from "../family.ts";
import { instantText } from "./clock.ts";
import type { World } from "./world.ts";

const summerTime = `
def change(text, year, before):
    nth, _, month, time, clock = text.split()
    month = MONTHS.index(month) + 1
    if nth == "last":
        day = date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)
        day -= timedelta(days=(day.weekday() + 1) % 7)
    else:
        day = date(year, month, 1)
        day += timedelta(days=(6 - day.weekday()) % 7 + 7 * (int(nth[0]) - 1))
    return days_since(day) * 1440 + clock_minutes(time) - (before if clock == "local" else 0)


for zone in zones.values():
    if zone["summer"]:
        standard, summer = zone["standard"], minutes_of(zone["summer"])
        zone["changes"] = sorted([
            (change(zone["begins"], YEAR, standard), standard, summer),
            (change(zone["ends"], YEAR, summer), summer, standard),
        ])
`;
const gapReturns = {
  skip: "return []",
  after: 'return [at for at, before, after in zone["changes"] if at + before <= wall < at + after]',
  shift: 'return [wall - before for at, before, after in zone["changes"] if at + before <= wall < at + after]',
};
const overlapReturns = { first: "found[:1]", second: "found[-1:]", both: "found" };

const cron = (either: boolean) => `
def field(text, low, high):
    values = set()
    for part in text.split(","):
        span, _, step = part.partition("/")
        a, _, b = (f"{low}-{high}" if span == "*" else span).partition("-")
        values.update(range(int(a), int(b or a) + 1, int(step or 1)))
    return sorted(values)


def cron_starts(text, day):
    minutes, hours, dates, months, weekdays = text.split()
    by_date = day.day in field(dates, 1, 31)
    by_weekday = (day.weekday() + 1) % 7 in field(weekdays, 0, 6)
    if day.month not in field(months, 1, 12):
        return []
    ${either ? 'if not (by_date or by_weekday if dates != "*" and weekdays != "*" else by_date and by_weekday):' : "if not (by_date and by_weekday):"}
        return []
    return [hour * 60 + minute for hour in field(hours, 0, 23) for minute in field(minutes, 0, 59)]
`;

/** Python that reads the tables into \`zones\`, \`jobs\`, \`runs\`, as far as \`skill\` goes. */
export function preludeFor(world: World, skill: Difficulty, folder: string): string {
  const { difficulty, gapPolicy, overlapPolicy } = world;
  return `import csv
import json
from datetime import date, datetime, timedelta
from pathlib import Path

ROOT = Path("/app/${world.root}")
OUT = Path("${folder}")
OUT.mkdir(parents=True, exist_ok=True)
YEAR = ${world.year}
DAYS = "Mon Tue Wed Thu Fri Sat Sun".split()
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


def table(name):
    with open(ROOT / name, newline="") as source:
        return list(csv.DictReader(source))


def clock_minutes(text):
    return int(text[:2]) * 60 + int(text[3:5])


def minutes_of(offset):
    return clock_minutes(offset[1:]) * (-1 if offset[0] == "-" else 1)


def days_since(day):
    return (day - date(1970, 1, 1)).days


def instant(text):
    return (datetime.fromisoformat(text.rstrip("Z")) - datetime(1970, 1, 1)) // timedelta(minutes=1)


def iso(minute):
    return (datetime(1970, 1, 1) + timedelta(minutes=minute)).isoformat(timespec="minutes")


def day_text(number):
    return (date(1970, 1, 1) + timedelta(days=number)).isoformat()


def offset_text(offset):
    return f"{'-' if offset < 0 else '+'}{abs(offset) // 60:02}:{abs(offset) % 60:02}"


FROM, TO = instant("${instantText(world.from)}"), instant("${instantText(world.to)}")
zones = {row["zone"]: row for row in table("zones.csv")}
for zone in zones.values():
    zone["standard"], zone["changes"] = minutes_of(zone["${difficulty >= 3 ? "standard" : "offset"}"]), []
${skill >= 3 ? summerTime : ""}
${
  skill >= 5
    ? `for row in table("moves.csv"):
    zone, at = zones[row["zone"]], instant(row["from"])
    earlier = [entry for entry in zone["changes"] if entry[0] < at]
    before = earlier[-1][2] if earlier else zone["changes"][0][1] if zone["changes"] else zone["standard"]
    zone["changes"] = earlier + [(at, before, minutes_of(row["offset"]))]
`
    : ""
}

def offset_at(zone, minute):
    offset = zone["changes"][0][1] if zone["changes"] else zone["standard"]
    for at, _, after in zone["changes"]:
        if minute >= at:
            offset = after
    return offset


def instants_of(zone, wall):
    offsets = {zone["standard"], *(entry[1] for entry in zone["changes"]), *(entry[2] for entry in zone["changes"])}
    return sorted(wall - offset for offset in offsets if offset_at(zone, wall - offset) == offset)


def starts(zone, wall):
    found = instants_of(zone, wall)
    if not found:
        ${gapReturns[gapPolicy]}
    return ${overlapReturns[overlapPolicy]}


${
  difficulty >= 2
    ? `holidays = {(row["zone"], row["date"]) for row in table("holidays.csv")}


def is_workday(zone, day):
    return DAYS[day.weekday()] not in zone["weekend"].split("+")${skill >= 2 ? ' and (zone["zone"], day.isoformat()) not in holidays' : ""}

`
    : ""
}
${difficulty >= 4 ? cron(skill >= 4) : ""}

def wall_times(job, day):
    kind, *words = job["rule"].split()
    time = clock_minutes(words[-1]) if ":" in words[-1] else None
    last = (day.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
    if kind == "daily":
        return [time]
    if kind == "weekly":
        return [time] if DAYS[day.weekday()] in words[0].split("+") else []
    if kind == "every":
        return list(range(time, 1440, int(words[0][:-1]) * 60))
${
  difficulty >= 2
    ? `    if kind == "workdays":
        return [time] if is_workday(zones[job["zone"]], day) else []
    if kind == "monthly":
        if words[:2] == ["last", "workday"]:
            while not is_workday(zones[job["zone"]], last):
                last -= timedelta(days=1)
            return [time] if day == last else []
        wanted = last.day if words[0] == "last" else min(int(words[0]), last.day)
        return [time] if day.day == wanted else []
`
    : ""
}${difficulty >= 4 ? '    return cron_starts(job["rule"].partition(" ")[2], day)\n' : ""}

jobs = {}
for line in (ROOT / "jobs.txt").read_text().splitlines():
    if line and not line.startswith("#"):
        name, zone, host, minutes, rule = line.split("; ")
        jobs[name] = {"name": name, "zone": zone, "host": host, "minutes": int(minutes), "rule": rule}
windows = ${skill >= 4 ? '[(instant(row["from"]), instant(row["to"]), row["policy"]) for row in table("windows.csv")]' : "[]"}
exceptions = ${skill >= 5 ? '{(row["job"], row["date"]): row["time"] for row in table("exceptions.csv")}' : "{}"}
found, odd = {}, []
for name, job in jobs.items():
    zone = zones[job["zone"]]
    for number in range(FROM // 1440 - 2, TO // 1440 + 2):
        day = date(1970, 1, 1) + timedelta(days=number)
        times = wall_times(job, day)
        if (name, day.isoformat()) in exceptions:
            text = exceptions[name, day.isoformat()]
            times = [] if text == "cancelled" else [clock_minutes(text)]
        for time in times:
            wall = number * 1440 + time
            count = len(instants_of(zone, wall))
            if count != 1:
                odd.append((name, wall, count))
            for start in starts(zone, wall):
                window = next((entry for entry in windows if entry[0] <= start < entry[1]), None)
                if window and window[2] == "drop":
                    continue
                start = window[1] if window else start
                if FROM <= start < TO:
                    found[start, name] = job
runs = [(start, name, jobs[name]) for start, name in sorted(found)]
`.replace(/\n{4,}/g, "\n\n\n");
}
