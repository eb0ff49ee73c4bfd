import type { Question } from "../../composition/index.ts";
import { iso } from "../facts.ts";
import { compareTable, type Setting, writeTable } from "./setting.ts";

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
