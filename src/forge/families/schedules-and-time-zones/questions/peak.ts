import type { Question } from "../../composition/index.ts";
import { instantText } from "../clock.ts";
import { byText } from "../facts.ts";
import { compareJson, type Setting, sourcesOf, writeJson } from "./setting.ts";

/** When most runs take place at once. */
export function peak(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const path = `${folder}/${random.pick(["peak", "busiest", "rush"])}.json`;
  const during = (minute: number) =>
    facts.runs.filter(({ job, start }) => start <= minute && minute < start + job.minutes);
  let best = { at: 0, names: [] as string[] };
  for (const { start } of facts.runs) {
    const names = during(start).map(({ job }) => job.name);
    if (names.length > best.names.length) best = { at: start, names };
  }
  const solve = (end: string) => `
best = (0, 0, [])
for start, _, _ in runs:
    names = sorted(name for begin, name, job in runs if begin <= start < begin + ${end})
    if len(names) > best[0]:
        best = (len(names), start, names)
${writeJson(path, '{"runs": best[0], "from": iso(best[1]) + "Z", "jobs": best[2]}')}`;
  return {
    key: "peak",
    shape: "peak-concurrency",
    artefact: path,
    format: "JSON object",
    statement: "The largest number of runs at one time is given with the first time it is reached",
    demand: `\`${path}\`: an object with \`runs\`, the largest number of runs (over all hosts) that take place at once, \`from\`, the first instant at which that many do (\`YYYY-MM-DDTHH:MMZ\`), and \`jobs\`, the sorted names of the jobs that run then. A run takes the minutes of its job from its start and is over at its end; only starts within the period count.`,
    derivation: "runs by start and length",
    ordering: "names ascending",
    sources: sourcesOf(setting),
    expected: { runs: best.names.length, from: instantText(best.at), jobs: [...best.names].sort(byText) },
    solve: solve('job["minutes"]'),
    mistake: { name: "every run takes a day", solve: solve("1440") },
    check: compareJson(path),
  };
}
