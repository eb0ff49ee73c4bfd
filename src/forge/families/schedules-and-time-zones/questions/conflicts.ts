import type { Question } from "../../composition/index.ts";
import { instantText } from "../clock.ts";
import { byText, type Facts, type Run } from "../facts.ts";
import { compareTable, type Setting, sourcesOf, writeTable } from "./setting.ts";

/** Pairs of runs that share a host and at least one minute; by host, then in the order of the runs. */
export function conflictsOf({ runs }: Facts) {
  const found: { readonly host: string; readonly a: Run; readonly b: Run; readonly shared: number }[] = [];
  runs.forEach((a, index) => {
    for (const b of runs.slice(index + 1)) {
      const shared = Math.min(a.start + a.job.minutes, b.start + b.job.minutes) - b.start;
      if (shared <= 0) {
        if (b.start > a.start + 1440) break;
        continue;
      }
      if (a.job.host === b.job.host) found.push({ host: a.job.host, a, b, shared });
    }
  });
  return found.sort((x, y) => byText(x.host, y.host));
}

/** Runs that get in each other's way. */
export function conflicts(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const path = `${folder}/${random.pick(["conflicts", "overlaps", "collisions"])}.csv`;
  const columns = random.pick([
    ["host", "first", "first_start", "second", "second_start", "minutes"],
    ["host", "job", "start", "other_job", "other_start", "shared_minutes"],
  ]);
  const found = conflictsOf(facts);
  const solve = (pair: string) => `
rows = []
for index, (start, name, job) in enumerate(runs):
    for later, other, second in runs[index + 1 :]:
        shared = min(start + job["minutes"], later + second["minutes"]) - later
        if shared > 0 and job["host"] == second["host"]:
            rows.append([job["host"], ${pair}, shared])
rows.sort(key=lambda row: row[0])
${writeTable(path, columns)}`;
  return {
    key: "conflicts",
    shape: "overlap-conflicts",
    artefact: path,
    format: "CSV with header",
    statement: "Pairs of runs that overlap on one host are listed",
    demand: `\`${path}\`, header \`${columns.join(",")}\`: every pair of runs that take place on the same host at the same time for at least one minute (a run takes the minutes of its job from its start; one that ends when the other starts is no conflict). First the one that starts earlier (at the same instant, the one whose name comes first), both starts as \`YYYY-MM-DDTHH:MMZ\`, and the minutes that they share. Sorted by host, then first start, first name, second start, second name.`,
    derivation: "starts and lengths of runs by host",
    ordering: "by host, then first start, name, second start, name",
    sources: sourcesOf(setting),
    expected: {
      columns,
      rows: found.map(({ host, a, b, shared }) => [
        host,
        a.job.name,
        instantText(a.start),
        b.job.name,
        instantText(b.start),
        String(shared),
      ]),
    },
    solve: solve('name, iso(start) + "Z", other, iso(later) + "Z"'),
    mistake: { name: "the later run first", solve: solve('other, iso(later) + "Z", name, iso(start) + "Z"') },
    check: compareTable(path),
  };
}
