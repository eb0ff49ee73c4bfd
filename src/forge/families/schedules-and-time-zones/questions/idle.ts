import type { Question } from "../../composition/index.ts";
import { instantText } from "../clock.ts";
import { byText } from "../facts.ts";
import { compareJson, type Setting, sourcesOf, writeJson } from "./setting.ts";

/** The longest time in which a host does nothing. */
export function idle(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const path = `${folder}/${random.pick(["idle", "quiet", "maintenance-slots"])}.json`;
  const hosts = [...new Set(facts.world.jobs.map(({ host }) => host))].sort(byText);
  const longest = hosts.map((host) => {
    let [at, best] = [facts.world.from, [0, 0] as [number, number]];
    for (const { job, start } of facts.runs.filter((run) => run.job.host === host)) {
      if (start - at > best[1] - best[0]) best = [at, start];
      at = Math.max(at, start + job.minutes);
    }
    if (facts.world.to - at > best[1] - best[0]) best = [at, facts.world.to];
    return [host, { from: instantText(best[0]), to: instantText(best[1]), minutes: best[1] - best[0] }] as const;
  });
  const solve = (minutes: string) => `
idle = {}
for host in sorted({job["host"] for job in jobs.values()}):
    at, best = FROM, (0, 0)
    for start, _, job in [*(run for run in runs if run[2]["host"] == host), (TO, "", {"minutes": 0})]:
        if start - at > best[1] - best[0]:
            best = (at, start)
        at = max(at, start + job["minutes"])
    idle[host] = {"from": iso(best[0]) + "Z", "to": iso(best[1]) + "Z", "minutes": ${minutes}}
${writeJson(path, "idle")}`;
  return {
    key: "idle",
    shape: "longest-idle",
    artefact: path,
    format: "JSON object of objects",
    statement: "For each host the longest idle time of the period is given",
    demand: `\`${path}\`: for each host an object with \`from\`, \`to\` (\`YYYY-MM-DDTHH:MMZ\`) and \`minutes\` of the longest stretch of the period in which nothing runs on it, the earliest of equally long ones. A run takes the minutes of its job from its start; the period itself bounds the first and the last stretch, and runs that started before it don't count.`,
    derivation: "gaps between the runs of a host",
    sources: sourcesOf(setting),
    expected: Object.fromEntries(longest),
    solve: solve("best[1] - best[0]"),
    mistake: { name: "hours in place of minutes", solve: solve("(best[1] - best[0]) // 60") },
    check: compareJson(path),
  };
}
