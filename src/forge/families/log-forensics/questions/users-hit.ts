import type { Question } from "../../composition/index.ts";
import type { Setting } from "./setting.ts";

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
