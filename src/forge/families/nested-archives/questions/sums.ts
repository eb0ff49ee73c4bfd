import type { Question } from "../../composition/index.ts";
import { type Setting, sourcesOf } from "./setting.ts";

/** Something that only the contents tell. */
export function sums({ random, facts, folder }: Setting): Question {
  const path = `${folder}/${random.pick(["sensors", "readings"])}.json`;
  const [count, total, highest] = random.pick([
    ["rows", "sum", "max"],
    ["readings", "total", "highest"],
  ] as const);
  const expected: Record<string, Record<string, number>> = {};
  for (const { leaf } of facts.recovered) {
    if (!leaf.path.endsWith(".csv")) continue;
    for (const row of new TextDecoder().decode(leaf.content).trim().split("\n").slice(1)) {
      const [, sensor = "", text = ""] = row.split(",");
      const value = Number(text);
      const entry = expected[sensor] ?? { [count]: 0, [total]: 0, [highest]: value };
      expected[sensor] = {
        [count]: entry[count]! + 1,
        [total]: entry[total]! + value,
        [highest]: Math.max(entry[highest]!, value),
      };
    }
  }
  const solve = (skip: string) => `
sensors = {}
for path, data in recovered.items():
    if path.endswith(".csv"):
        for line in data.decode().splitlines()[${skip}:]:
            _, sensor, value = line.split(",")
            entry = sensors.setdefault(sensor, {"${count}": 0, "${total}": 0, "${highest}": int(value)})
            entry["${count}"] += 1
            entry["${total}"] += int(value)
            entry["${highest}"] = max(entry["${highest}"], int(value))
Path("${path}").write_text(json.dumps(sensors, indent=1) + "\\n")`;
  return {
    key: "sums",
    shape: "content-aggregate",
    artefact: path,
    format: "JSON object of objects",
    statement: "The recovered readings are added up by sensor",
    demand: `The recovered \`.csv\` files hold readings (\`time,sensor,value\`). Add them up in \`${path}\`: a JSON object from sensor to \`${count}\` (how many), \`${total}\` and \`${highest}\` of the values, over all recovered \`.csv\` files, copies counted as often as they are there.`,
    derivation: "rows of the recovered CSV files",
    sources: sourcesOf(facts),
    expected,
    solve: solve("1"),
    mistake: { name: "loses the first reading of each file", solve: solve("2") },
    check: `v.equal(v.json("${path}"), wanted, "${path}")`,
  };
}
