import type { Question } from "../../composition/index.ts";
import { instantText } from "../clock.ts";
import { byText } from "../facts.ts";
import { compareJson, type Setting, sourcesOf, writeJson } from "./setting.ts";

/** What comes next, seen from some instant. */
export function nextRuns(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const { world, runs } = facts;
  const path = `${folder}/${random.pick(["next", "upcoming", "next-runs"])}.json`;
  // The start of some run, so that it decides whether the instant itself counts.
  const middle = runs.slice(Math.floor(runs.length / 3), Math.floor((2 * runs.length) / 3));
  const moment = random.pick(middle.length > 0 ? middle : runs).start;
  const names = world.jobs.map(({ name }) => name).sort(byText);
  const solve = (comparison: string) => `
following = {name: None for name in sorted(jobs)}
for start, name, job in reversed(runs):
    if start ${comparison} instant("${instantText(moment)}"):
        following[name] = iso(start) + "Z"
${writeJson(path, "following")}`;
  return {
    key: "next_runs",
    shape: "next-run-table",
    artefact: path,
    format: "JSON object",
    statement: "The next start of each job after an instant is given",
    demand: `\`${path}\`: a JSON object with every job's name and its first start after ${instantText(moment)} (a start at exactly that instant is not after it) and before the end of the period, as \`YYYY-MM-DDTHH:MMZ\`; null when there is none.`,
    derivation: "starts after the instant",
    sources: sourcesOf(setting),
    expected: Object.fromEntries(
      names.map((name) => {
        const run = runs.find(({ job, start }) => job.name === name && start > moment);
        return [name, run === undefined ? null : instantText(run.start)];
      }),
    ),
    solve: solve(">"),
    mistake: { name: "starts at the instant itself included", solve: solve(">=") },
    check: compareJson(path),
  };
}
