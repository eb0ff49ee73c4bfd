import type { Question } from "../../composition/index.ts";
import { iso } from "../facts.ts";
import { compareTable, type Setting, writeTable } from "./setting.ts";

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
