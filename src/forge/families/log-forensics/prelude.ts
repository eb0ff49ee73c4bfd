import type { Difficulty } from "../family.ts";
import type { World } from "./world.ts";

const parsers: Record<string, string> = {
  combined: String.raw`
COMBINED = re.compile(
    r'(\S+) - (\S+) \[(\d+)/(\w+)/(\d+):(\S+) [+-]\d{4}\] "(\S+) (\S+) [^"]*" (\d+) (\d+) rid=(\S+) took=(\d+)ms(?: retry_of=(\S+))?$'
)


def parse_combined(record):
    found = COMBINED.match(record)
    if not found:
        return None
    address, user, day, month, year, clock, method, path, status, size, rid, took, retry = found.groups()
    moment = local(f"{year}-{MONTHS.index(month) + 1:02}-{day}T{clock}")
    return {"at": moment, "req": rid, "level": "INFO", "code": "-", "ms": int(took), "text": "", "status": int(status),
            "user": user, "path": path, "address": address, "retry_of": retry}
`,
  tabbed: String.raw`
def parse_tabbed(record):
    parts = record.split("\t")
    if len(parts) < 8:
        return None
    time, user, address, request, status, size, rid, took = parts[:8]
    moment = local(time[:23])
    return {"at": moment, "req": rid, "level": "INFO", "code": "-", "ms": int(took), "text": "", "status": int(status),
            "user": user, "path": request.split()[1], "address": address, "retry_of": parts[8] if len(parts) > 8 else None}
`,
  json: `
def parse_json(record):
    try:
        entry = json.loads(record)
    except ValueError:
        return None
    return {"at": local(entry["ts"]), "req": entry["req"], "level": entry["lvl"], "code": entry["code"], "ms": entry["ms"],
            "text": entry["msg"]}
`,
  "epoch-json": `
def parse_epoch_json(record):
    try:
        entry = json.loads(record)
    except ValueError:
        return None
    return {"at": entry["t"] + SHIFT * 60000, "req": entry["request"], "level": entry["severity"].upper(), "code": entry["error"],
            "ms": entry["ms"], "text": entry["message"]}
`,
  logfmt: String.raw`
LOGFMT = re.compile(r'ts=(\S+) lvl=(\w+) req=(\S+) msg="([^"]*)" code=(\S+) ms=(\S+)')


def parse_logfmt(record):
    found = LOGFMT.match(record)
    if not found:
        return None
    time, level, req, text, code, ms = found.groups()
    return {"at": local(time), "req": req, "level": level.upper(), "code": code, "ms": ms, "text": text}
`,
  syslog: String.raw`
SYSLOG = re.compile(r"(\w{3}) +(\d+) (\S+) \S+ \S+ <(\w+)> \[(\S+)\] (.*) code=(\S+) ms=(\S+)")


def parse_syslog(record):
    found = SYSLOG.match(record)
    if not found:
        return None
    month, day, clock, level, req, text, code, ms = found.groups()
    moment = local(f"2026-{MONTHS.index(month) + 1:02}-{int(day):02}T{clock}")
    return {"at": moment, "req": req, "level": level, "code": code, "ms": ms, "text": text}
`,
  pipe: String.raw`
def parse_pipe(record):
    parts = record.split("\n")[0].split("|")
    if len(parts) != 6:
        return None
    time, level, req, text, code, ms = parts
    return {"at": local(time.replace(" ", "T").replace(",", ".")), "req": req, "level": level, "code": code, "ms": ms, "text": text}
`,
};

/** Python that reads the logs into `events`, `attempts` and `failed`, with the kinds of work known at `skill`. */
export function preludeFor(world: World, skill: Difficulty, folder: string): string {
  const services = [world.edge, ...world.backends];
  const formats = [...new Set(services.map((service) => service.format))];
  const needs = (...names: string[]) => formats.some((format) => names.includes(format));
  const imports = ["csv", ...(skill >= 2 ? ["gzip"] : []), "json", "re"].map((name) => `import ${name}`).join("\n");
  const known = services.map((s) => `    "${s.name}": parse_${s.format.replace("-", "_")},`).join("\n");
  return `
${imports}
from datetime import datetime, timedelta, timezone
from pathlib import Path

LOGS = Path("/app/logs")
REPORT = Path("${folder}")
REPORT.mkdir(parents=True, exist_ok=True)
EDGE = "${world.edge.name}"
${needs("combined", "syslog") ? 'MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()' : ""}
EPOCH = datetime(1970, 1, 1)
SHIFT = 0


${
  skill >= 3
    ? `def minutes_of(text):
    hours, minutes = text.split(":")
    return (-1 if text[0] == "-" else 1) * (abs(int(hours)) * 60 + int(minutes))


`
    : ""
}def local(text):
    return (datetime.fromisoformat(text) - EPOCH) // timedelta(milliseconds=1)


def iso(moment):
    return (EPOCH + timedelta(milliseconds=moment)).isoformat(timespec="milliseconds") + "Z"

${formats.map((format) => parsers[format]).join("\n")}

PARSERS = {
${known}
}
${
  skill >= 3
    ? `with open("/app/docs/hosts.csv") as table:
    HOSTS = {row["service"]: (minutes_of(row["utc_offset"]), int(row["clock_ahead_ms"])) for row in csv.DictReader(table)}`
    : `HOSTS = {name: (0, 0) for name in PARSERS}`
}


def records(service):
    folder = LOGS / service
${
  skill >= 2
    ? `    texts = [
        gzip.decompress((folder / f"{service}.log.2.gz").read_bytes()).decode(),
        (folder / f"{service}.log.1").read_text(),
        (folder / f"{service}.log").read_text(),
    ]
    found = []
    for text in texts:`
    : `    found = []
    for text in [(folder / f"{service}.log").read_text()]:`
}
        for line in text.splitlines():
${
  skill >= 4
    ? `            if line.startswith(" "):
                found[-1] += "\\n" + line
            else:
                found.append(line)`
    : `            found.append(line)`
}
    return ${skill >= 2 ? "dict.fromkeys(found)" : "found"}


events = []
for service, parse in PARSERS.items():
    SHIFT, ahead = HOSTS[service]
    for record in records(service):
        event = parse(record)
        if event is None:
            continue
        event["at"] -= SHIFT * 60000 + ahead
        event["service"] = service
${
  skill >= 4
    ? `        if "\\n" in record:
            event["code"] = record.rsplit("caused by: ", 1)[1].split(":")[0]`
    : ""
}
        events.append(event)
${
  skill >= 4
    ? `jobs = {}
for event in events:
    if event["text"].startswith("dispatched "):
        jobs[event["text"].split()[1]] = event["req"]
for event in events:
    event["req"] = jobs.get(event["req"], event["req"])`
    : ""
}
events.sort(key=lambda event: event["at"])
attempts = [event for event in events if event["service"] == EDGE and event["req"] != "-"]
${skill >= 5 ? `retried = {event["retry_of"] for event in attempts}` : ""}
failed = [event for event in attempts if event["status"] >= 500${skill >= 5 ? ' and event["req"] not in retried' : ""}]
errors = {}
for event in events:
    if event["level"] == "ERROR" and event["req"] != "-":
        errors.setdefault(event["req"], []).append(event)
`.replace(/\n{4,}/g, "\n\n\n");
}
