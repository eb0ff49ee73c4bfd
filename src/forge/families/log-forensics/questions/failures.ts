import type { Question } from "../../composition/index.ts";
import { edgeName, type Setting } from "./setting.ts";

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
