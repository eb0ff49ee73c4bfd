import type { Question } from "../../composition/index.ts";
import { byText } from "../facts.ts";
import { compareTable, type Setting, sourcesOf, writeTable } from "./setting.ts";

/** What the status bytes say, counted. */
export function bits(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const path = `${folder}/${random.pick(["status", "warnings", "modes"])}.csv`;
  const columns = random.pick([
    ["device", "measured", "calibration", "by_hand", "battery_warnings"],
    ["station", "mode_0", "mode_1", "mode_2", "low_battery"],
  ]);
  const names = [...new Set(facts.sound.map(({ capture }) => capture.device.name))].sort(byText);
  const rows = names.map((name) => {
    const own = facts.sound.filter(({ capture }) => capture.device.name === name);
    const count = (mode: number) => String(own.filter(({ entry }) => entry.mode === mode).length);
    return [name, count(0), count(1), count(2), String(own.filter(({ entry }) => entry.battery).length)];
  });
  const solve = (warning: string) => `
rows = []
for name in sorted({record["name"] for record in sound}):
    own = [record for record in sound if record["name"] == name]
    rows.append([name, *(sum(record["mode"] == mode for record in own) for mode in range(3)), sum(${warning} for record in own)])
${writeTable(path, columns)}`;
  return {
    key: "bits",
    shape: "bit-field-tally",
    artefact: path,
    format: "CSV with header",
    statement: "Modes and battery warnings are counted for each device",
    demand: `\`${path}\`, header \`${columns.join(",")}\`, sorted by device name: how many${facts.world.format.difficulty >= 3 ? " sound" : ""} records of each device name are measured, calibration, entered by hand, and how many (of any mode) carry the battery warning. Here every${facts.world.format.difficulty >= 3 ? " sound" : ""} record counts, measurement or not${facts.world.format.difficulty >= 5 ? ", sent again or not" : ""}.`,
    derivation: "status bytes of the sound records",
    ordering: "by device name",
    sources: sourcesOf(setting),
    expected: { columns, rows },
    solve: solve('record["battery"]'),
    mistake: {
      name: "warnings counted where there is none",
      solve: solve('1 - record["battery"]').replace("sum(1 - ", "1 + sum(1 - "),
    },
    check: compareTable(path),
  };
}
