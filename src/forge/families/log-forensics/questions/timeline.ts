import type { Question } from "../../composition/index.ts";
import { iso } from "../facts.ts";
import { compareTable, edgeName, outcomeOf, type Setting, writeTable } from "./setting.ts";

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
