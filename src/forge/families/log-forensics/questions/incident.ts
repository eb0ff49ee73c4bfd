import type { Question } from "../../composition/index.ts";
import { iso } from "../facts.ts";
import type { Setting } from "./setting.ts";

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
