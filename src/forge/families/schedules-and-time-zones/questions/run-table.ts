import type { Question } from "../../composition/index.ts";
import { instantText, localText } from "../clock.ts";
import { compareTable, type Setting, sourcesOf, writeTable } from "./setting.ts";

/** Every start within the days asked about. */
export function runTable(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const path = `${folder}/${random.pick(["runs", "starts", "timetable"])}.csv`;
  const columns = random.pick([
    ["job", "utc", "local"],
    ["name", "start_utc", "start_local"],
    ["job", "instant", "wall_clock"],
  ]);
  const solve = (offset: string) => `
rows = []
for start, name, job in runs:
    offset = ${offset}
    rows.append([name, iso(start) + "Z", iso(start + offset) + offset_text(offset)])
${writeTable(path, columns)}`;
  return {
    key: "run_table",
    shape: "run-table-csv",
    artefact: path,
    format: "CSV with header",
    weight: 2,
    statement: "Every start of every job is in one table",
    demand: `Write \`${path}\` with the header \`${columns.join(",")}\` and one row for each start of a job: its name, the instant in UTC as \`YYYY-MM-DDTHH:MMZ\`, the same on the wall of the job's zone with its offset as \`YYYY-MM-DDTHH:MM+HH:MM\` (or \`-HH:MM\`). Sort by instant, then by name.`,
    derivation: "rules of the jobs, converted from wall time to UTC",
    ordering: "by instant, then name",
    sources: sourcesOf(setting),
    expected: {
      columns,
      rows: facts.runs.map(({ job, start, offset }) => [job.name, instantText(start), localText(start, offset)]),
    },
    solve: solve('offset_at(zones[job["zone"]], start)'),
    mistake: { name: "offsets with the wrong sign", solve: solve('-offset_at(zones[job["zone"]], start)') },
    check: compareTable(path),
  };
}
