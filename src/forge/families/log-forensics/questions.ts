import type { Random } from "../../../statistics/index.ts";
import type { Question } from "../composition/index.ts";
import { type Facts, iso } from "./facts.ts";
import type { Line } from "./world.ts";

/** What every question needs to know to be put. */
export type Setting = {
  readonly random: Random;
  readonly facts: Facts;
  readonly folder: string;
  readonly bug: string | null;
};

const compareTable = (path: string) => `v.equal(v.csv("${path}"), [wanted["columns"]] + wanted["rows"], "${path}")`;
const writeTable = (path: string, columns: readonly string[]) =>
  `with open("${path}", "w", newline="") as target:
    writer = csv.writer(target, lineterminator="\\n")
    writer.writerow(${JSON.stringify(columns)})
    writer.writerows(rows)`;
const edgeName = ({ facts }: Setting) => `\`${facts.world.edge.name}\``;

/** When the incident was, what caused it and whom it hit. */
export function incident({ random, facts, folder, bug }: Setting): Question {
  const path = `${folder}/${random.pick(["incident", "summary", "outage"])}.json`;
  const [first, last, count, culprit, users] = random.pick([
    ["first_failure", "last_failure", "failed_requests", "culprit", "affected_users"],
    ["began_at", "ended_at", "failures", "root_service", "users_hit"],
    ["start", "end", "failed", "origin", "distinct_users"],
  ] as const);
  const failures = facts.failures;
  const people = new Set(failures.map((failure) => failure.edge.edge!.user)).size;
  const solve = (affected: string) => `
firsts = [errors[event["req"]][0]["service"] for event in failed if event["req"] in errors]
summary = {
    "${first}": iso(failed[0]["at"]),
    "${last}": iso(failed[-1]["at"]),
    "${count}": len(failed),
    "${culprit}": max(sorted(set(firsts)), key=firsts.count),
    "${users}": ${affected},
}
Path("${path}").write_text(json.dumps(summary, indent=2) + "\\n")`;
  return {
    key: "incident",
    shape: "incident-object",
    artefact: path,
    format: "JSON object",
    statement: "The incident's limits, size, cause and reach are right",
    demand: `Write \`${path}\`, a JSON object with \`${first}\` and \`${last}\` (the times of the first and the last failed request, as in \`2026-03-02T20:17:55.123Z\`), \`${count}\` (how many failed, a number), \`${culprit}\` (the service that was the first to log an ERROR for most of them) and \`${users}\` (how many different users they belonged to).`,
    derivation: "failed requests of the edge, joined by request id with the first ERROR behind each",
    sources: ["/app/logs", "/app/docs"],
    expected: {
      [first]: iso(failures[0]!.edge.at),
      [last]: iso(failures.at(-1)!.edge.at),
      [count]: failures.length,
      [culprit]: facts.culprit,
      [users]: bug === "affected-users" ? failures.length : people,
    },
    solve: solve(`len({event["user"] for event in failed})`),
    mistake: { name: "counts failures as people", solve: solve("len(failed)") },
    check: `v.equal(v.json("${path}"), wanted, "${path}")`,
  };
}

const outcomeOf = (line: Line) =>
  line.edge ? String(line.edge.status) : line.level === "ERROR" ? (line.code ?? "") : "ok";

/** Everything that the platform logged about a few requests. */
export function timeline(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const path = `${folder}/${random.pick(["timeline", "trace", "sequence"])}.csv`;
  const columns = random.pick([
    ["time_utc", "service", "request_id", "outcome"],
    ["at", "service", "request", "result"],
  ]);
  const caused = facts.failures.filter((failure) => failure.first !== null);
  const cases = random.sample(caused, Math.min(caused.length, random.integer(3, 4))).map((failure) => failure.id);
  const rows = facts.world.lines
    .filter((line) => line.request !== null && cases.includes(line.request))
    .map((line) => [iso(line.at), line.service, line.request!, outcomeOf(line)]);
  const solve = (condition: string) => `
cases = ${JSON.stringify(cases)}
rows = [
    [iso(e["at"]), e["service"], e["req"], str(e["status"]) if e["service"] == EDGE else e["code"] if e["level"] == "ERROR" else "ok"]
    for e in events
    if e["req"] in cases${condition}
]
${writeTable(path, columns)}`;
  return {
    key: "timeline",
    shape: "event-timeline-csv",
    artefact: path,
    format: "CSV with header",
    statement: "Every record of the named requests stands in one timeline",
    demand: `For the requests ${cases.map((id) => `\`${id}\``).join(", ")} I need the whole story in \`${path}\`: CSV with the header \`${columns.join(",")}\`, one row for each record that any service logged for one of them, in order of time. Times as UTC with milliseconds and \`Z\`; the last column holds the HTTP status for ${edgeName(setting)}, the error code for ERROR records, and \`ok\` for everything else.`,
    derivation: "records of all services with these request ids, times corrected",
    ordering: "by time, ascending",
    sources: ["/app/logs", "/app/docs"],
    expected: { columns, rows },
    solve: solve(""),
    mistake: { name: "forgets the edge", solve: solve(' and e["service"] != EDGE') },
    check: compareTable(path),
  };
}

/** Who or what was hit most. */
export function ranking({ random, facts, folder }: Setting): Question {
  const [field, what] = random.pick([
    ["user", "users"],
    ["path", "paths"],
    ["address", "client addresses"],
  ] as const);
  const path = `${folder}/top-${what.split(" ").at(-1)}.txt`;
  const most = field === "path" ? 3 : random.integer(4, 6);
  const counts = new Map<string, number>();
  for (const { edge } of facts.failures) counts.set(edge.edge![field], (counts.get(edge.edge![field]) ?? 0) + 1);
  const order = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, most);
  const solve = (limit: number) => `
counts = {}
for event in failed:
    counts[event["${field}"]] = counts.get(event["${field}"], 0) + 1
ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:${limit}]
Path("${path}").write_text("".join(f"{count} {name}\\n" for name, count in ranked))`;
  return {
    key: "ranking",
    shape: "ranked-lines",
    artefact: path,
    format: "text lines",
    statement: `The ${what} with the most failed requests are ranked`,
    demand: `Put the ${most} ${what} with the most failed requests into \`${path}\`, one a line as \`<count> <${field}>\`, the highest count first, equal counts in alphabetical (byte) order.`,
    derivation: `failed requests counted by ${field}`,
    ordering: "count descending, then name ascending",
    sources: ["/app/logs"],
    expected: order.map(([name, count]) => `${count} ${name}`),
    solve: solve(most),
    mistake: { name: "lists one too few", solve: solve(order.length - 1) },
    check: `v.equal(v.lines("${path}"), wanted, "${path}")`,
  };
}

/** Requests that never got past the edge. */
export function unreached(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const path = `${folder}/${random.pick(["unreached", "lost-at-the-edge", "never-arrived"])}.txt`;
  const { world } = facts;
  const seen = new Set(world.lines.filter((line) => line.edge === undefined).map((line) => line.request));
  const ids = facts.attempts.map((line) => line.request!).filter((id) => !seen.has(id));
  const last = world.backends.at(-1)!.name;
  const solve = (condition: string) => `
seen = {event["req"] for event in events if event["service"] ${condition}}
Path("${path}").write_text("".join(f"{rid}\\n" for rid in sorted({event["req"] for event in attempts} - seen)))`;
  return {
    key: "unreached",
    shape: "id-set",
    artefact: path,
    format: "text lines",
    statement: "The requests that no service behind the edge ever saw are listed",
    demand: `Some requests never made it past ${edgeName(setting)}: no other service has a single record for them. List their ids in \`${path}\`, one a line, sorted alphabetically.`,
    derivation: "ids at the edge minus ids anywhere else",
    ordering: "ascending",
    sources: ["/app/logs"],
    expected: [...ids].sort(),
    solve: solve("!= EDGE"),
    mistake: { name: "looks at one service only", solve: solve(`== "${last}"`) },
    check: `v.equal(v.lines("${path}"), wanted, "${path}")`,
  };
}

/** One object for each failed request with its cause and how long the failure took to show. */
export function failures(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const path = `${folder}/failures.jsonl`;
  const [id, service, code, lag] = random.pick([
    ["request_id", "service", "code", "lag_ms"],
    ["id", "failed_in", "error", "delay_ms"],
  ] as const);
  const solve = (index: number) => `
with open("${path}", "w") as target:
    for event in failed:
        if event["req"] in errors:
            first = errors[event["req"]][${index}]
            lag = event["at"] - first["at"]
            entry = {"${id}": event["req"], "${service}": first["service"], "${code}": first["code"], "${lag}": lag}
            target.write(json.dumps(entry) + "\\n")`;
  return {
    key: "failures",
    shape: "failure-jsonl",
    artefact: path,
    format: "JSON lines",
    statement: "Each failed request has its first error and the time until it showed",
    demand: `\`${path}\` gets one JSON object a line for each failed request for which some service logged an ERROR, in the order in which ${edgeName(setting)} logged them: \`${id}\`, \`${service}\` and \`${code}\` of the first ERROR of that request, and \`${lag}\`, the milliseconds from that ERROR to the record at ${edgeName(setting)} (a whole number, true times).`,
    derivation: "edge record joined with the earliest ERROR by request id",
    ordering: "by time of the edge record",
    sources: ["/app/logs", "/app/docs"],
    expected: facts.failures.flatMap(({ id: request, first, edge }) =>
      first ? [{ [id]: request, [service]: first.service, [code]: first.code, [lag]: edge.at - first.at }] : [],
    ),
    solve: solve(0),
    mistake: { name: "takes the last error", solve: solve(-1) },
    check: `v.equal(v.json_lines("${path}"), wanted, "${path}")`,
  };
}

/** Percentiles of the handling time. */
export function latency({ random, facts, folder }: Setting): Question {
  const path = `${folder}/latency.json`;
  const percent = random.pick([90, 95, 75]);
  const name = `p${percent}_ms`;
  const expected: Record<string, Record<string, number>> = {};
  for (const { name: service } of facts.world.backends) {
    const times = facts.world.lines
      .filter((line) => line.service === service && line.request !== null && line.took !== undefined)
      .map((line) => line.took!)
      .sort((a, b) => a - b);
    if (times.length > 0)
      expected[service] = {
        count: times.length,
        [name]: times[Math.ceil((times.length * percent) / 100) - 1]!,
        max_ms: times.at(-1)!,
      };
  }
  const solve = (rank: string) => `
times = {}
for event in events:
    if event["service"] != EDGE and event["req"] != "-" and event["ms"] not in ("-", None):
        times.setdefault(event["service"], []).append(int(event["ms"]))
latency = {}
for service, values in times.items():
    values.sort()
    latency[service] = {"count": len(values), "${name}": values[${rank}], "max_ms": values[-1]}
Path("${path}").write_text(json.dumps(latency, indent=2, sort_keys=True) + "\\n")`;
  return {
    key: "latency",
    shape: "nearest-rank-statistics",
    artefact: path,
    format: "JSON object of objects",
    statement: "Handling times are summarised for each service",
    demand: `How slow were the services behind the edge? \`${path}\`: a JSON object whose keys are their names, each with \`count\`, \`${name}\` and \`max_ms\` over the milliseconds that their records of requests state (records without a request or without a time left out). The percentile is by nearest rank: the value at position ceil(${percent}/100 · count) of the sorted list, counted from 1.`,
    derivation: "milliseconds of all records with a request id, by service",
    sources: ["/app/logs"],
    expected,
    solve: solve(`-(-len(values) * ${percent} // 100) - 1`),
    mistake: { name: "another percentile", solve: solve("len(values) // 4") },
    check: `v.equal(v.json("${path}"), wanted, "${path}")`,
  };
}

/** Failures that lie close together make one window. */
export function windows({ random, facts, folder }: Setting): Question {
  const path = `${folder}/${random.pick(["windows", "outages", "phases"])}.csv`;
  const columns = random.pick([
    ["start_utc", "end_utc", "failures"],
    ["from", "until", "count"],
  ]);
  const gap = random.pick([40, 60, 75, 90]);
  const rows: [number, number, number][] = [];
  for (const { edge } of facts.failures) {
    const current = rows.at(-1);
    if (current && edge.at - current[1] <= gap * 1000) {
      current[1] = edge.at;
      current[2]++;
    } else rows.push([edge.at, edge.at, 1]);
  }
  const solve = (limit: string) => `
rows = []
for event in failed:
    if rows and event["at"] - rows[-1][1] <= ${limit}:
        rows[-1][1] = event["at"]
        rows[-1][2] += 1
    else:
        rows.append([event["at"], event["at"], 1])
rows = [[iso(start), iso(end), count] for start, end, count in rows]
${writeTable(path, columns)}`;
  return {
    key: "windows",
    shape: "merged-windows-csv",
    artefact: path,
    format: "CSV with header",
    statement: "Failed requests close together are merged into windows",
    demand: `Group the failed requests into windows: one that comes at most ${gap} seconds after the one before belongs to the same window. \`${path}\` has the header \`${columns.join(",")}\` and a row for each window in order of time, with the times of its first and last failed request (UTC, milliseconds, \`Z\`) and how many it holds. A window may hold one alone.`,
    derivation: "gaps between consecutive failed requests",
    ordering: "by start, ascending",
    sources: ["/app/logs", "/app/docs"],
    expected: { columns, rows: rows.map(([start, end, count]) => [iso(start), iso(end), String(count)]) },
    solve: solve(`${gap * 1000}`),
    mistake: { name: "one window for everything", solve: solve(`10**12`) },
    check: compareTable(path),
  };
}

/** Errors in buckets of time, empty ones included. */
export function histogram({ random, facts, folder }: Setting): Question {
  const path = `${folder}/errors-over-time.csv`;
  const { world } = facts;
  const size = random.pick([5, 10, 15]);
  const width = size * 60_000;
  const start = Math.ceil(world.from / width) * width;
  const buckets = Math.floor((world.to - start) / width);
  const columns = ["bucket_utc", "service", "errors"];
  const names = world.backends.map((service) => service.name).sort();
  const rows: string[][] = [];
  for (let bucket = 0; bucket < buckets; bucket++)
    for (const service of names) {
      const [low, high] = [start + bucket * width, start + (bucket + 1) * width];
      const count = world.lines.filter(
        (line) => line.service === service && line.level === "ERROR" && line.at >= low && line.at < high,
      ).length;
      rows.push([iso(low), service, String(count)]);
    }
  const solve = (count: number) => `
begin, width = (datetime.fromisoformat("${iso(start).slice(0, 23)}") - EPOCH) // timedelta(milliseconds=1), ${width}
rows = []
for low in range(begin, begin + ${count} * width, width):
    for service in sorted(set(PARSERS) - {EDGE}):
        count = sum(
            e["service"] == service and e["level"] == "ERROR" and e["req"] != "-" and low <= e["at"] < low + width for e in events
        )
        rows.append([iso(low), service, count])
${writeTable(path, columns)}`;
  return {
    key: "histogram",
    shape: "dense-histogram-csv",
    artefact: path,
    format: "CSV with header",
    statement: "ERROR records are counted in buckets of time, zeros included",
    demand: `Count ERROR records that belong to a request in buckets of ${size} minutes, for the ${buckets} buckets from ${iso(start)} on (start included, end not) and for each service behind the edge: \`${path}\`, header \`${columns.join(",")}\`, the bucket's start with milliseconds and \`Z\`, sorted by bucket and then service name. Buckets without errors get a row with 0.`,
    derivation: "ERROR records with a request id, by true time and service",
    ordering: "bucket, then service",
    sources: ["/app/logs", "/app/docs"],
    expected: { columns, rows },
    solve: solve(buckets),
    mistake: { name: "stops a bucket early", solve: solve(buckets - 1) },
    check: compareTable(path),
  };
}

/** Failed requests of each user. */
export function usersHit({ random, facts, folder }: Setting): Question {
  const path = `${folder}/${random.pick(["by-user", "users", "to-notify"])}.json`;
  const expected: Record<string, string[]> = {};
  for (const { id, edge } of facts.failures) {
    const list = expected[edge.edge!.user] ?? [];
    expected[edge.edge!.user] = [...list, id];
  }
  const solve = (keep: string) => `
people = {}
for event in failed:
    people.setdefault(event["user"], []).append(event["req"])
Path("${path}").write_text(json.dumps({user: ids${keep} for user, ids in people.items()}, indent=1, sort_keys=True) + "\\n")`;
  return {
    key: "users_hit",
    shape: "grouped-id-lists",
    artefact: path,
    format: "JSON object of lists",
    statement: "Each affected user has the list of their failed requests",
    demand: `Support wants to write to the people concerned: \`${path}\`, a JSON object from user to the list of that user's failed request ids, each list in order of time. Only users with a failed request appear.`,
    derivation: "failed requests grouped by user",
    ordering: "lists by time",
    sources: ["/app/logs"],
    expected,
    solve: solve(""),
    mistake: { name: "keeps only the latest", solve: solve("[-1:]") },
    check: `v.equal(v.json("${path}"), wanted, "${path}")`,
  };
}
