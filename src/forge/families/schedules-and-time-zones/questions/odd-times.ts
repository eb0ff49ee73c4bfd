import type { Question } from "../../composition/index.ts";
import { byText } from "../facts.ts";
import { compareJson, type Setting, sourcesOf, writeJson } from "./setting.ts";

const wallText = (wall: number) => new Date(wall * 60_000).toISOString().slice(0, 16);

/** Times by the rules that the wall leaves out or shows twice; only where clocks change. */
export function oddTimes(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const { world } = facts;
  const path = `${folder}/${random.pick(["odd-times", "clock-changes", "doubtful"])}.json`;
  const inside = ({ wall }: { readonly wall: number }) => wall >= world.from && wall < world.to;
  const expected: Record<string, string[][]> = {};
  for (const { job, wall, times } of facts.odd.filter(inside).sort((a, b) => byText(a.job.name, b.job.name)))
    expected[job.name] = [...(expected[job.name] ?? []), [wallText(wall), times === 0 ? "skipped" : "twice"]];
  const solve = (word: string) => `
doubtful = {}
for name, wall, count in sorted(odd):
    if FROM <= wall < TO:
        doubtful.setdefault(name, []).append([iso(wall), ${word}])
${writeJson(path, "doubtful")}`;
  return {
    key: "odd_times",
    shape: "irregular-local-times",
    artefact: path,
    format: "JSON object of arrays of pairs",
    statement: "Starts by the rules at times that the clocks skip or show twice are listed",
    demand: `\`${path}\`: for each job that is to start at a time that its wall skips or shows twice${world.difficulty >= 5 ? " (by its rule, or by an exception in its place)" : ""}, an array of such times in ascending order, each as \`[wall time, what]\`: the wall time as \`YYYY-MM-DDTHH:MM\` without offset, and \`skipped\` or \`twice\`; taken are wall times from the period's beginning to its end as if these were written for the wall. Jobs without such a time don't appear; windows play no part.`,
    derivation: "wall times of the rules against the changes of the clocks",
    ordering: "ascending",
    sources: sourcesOf(setting),
    expected,
    solve: solve('"twice" if count else "skipped"'),
    mistake: { name: "skipped and twice mixed up", solve: solve('"skipped" if count else "twice"') },
    check: compareJson(path),
  };
}
