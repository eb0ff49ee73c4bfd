import type { Question } from "../../composition/index.ts";
import type { Setting } from "./setting.ts";

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
