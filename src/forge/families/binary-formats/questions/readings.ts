import type { Question } from "../../composition/index.ts";
import { isoTime } from "../facts.ts";
import { compareTable, type Setting, sourcesOf, writeTable } from "./setting.ts";

/** All measurements as a table. */
export function readings(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const { decimals, difficulty } = facts.world.format;
  const path = `${folder}/${random.pick(["readings", "measurements", "decoded"])}.csv`;
  const columns = random.pick([
    ["device", "sequence", "time", "channel", "value", "quality"],
    ["station", "number", "utc", "quantity", "reading", "grade"],
  ]);
  const solve = (value: string) => `
rows = [[r["name"], r["sequence"], iso(r["time"]), r["channel"], ${value}, r["quality"]] for r in readings]
${writeTable(path, columns)}`;
  return {
    key: "readings",
    shape: "decoded-records-csv",
    artefact: path,
    format: "CSV with header",
    weight: 2,
    statement: "Every measurement is decoded into one table",
    demand: `Write \`${path}\` with the header \`${columns.join(",")}\` and one row for each measurement: the device's name, the number of the record, its time as \`YYYY-MM-DDTHH:MM:SSZ\`, the channel's name, the value in whole units with exactly ${decimals} decimal${decimals > 1 ? "s" : ""}${difficulty >= 2 ? " (empty where there is none)" : ""}, the quality. Sort by device name, then by number.`,
    derivation: "records decoded by the document of the format",
    ordering: "by device name, then number",
    sources: sourcesOf(setting),
    negatives: difficulty >= 3 ? ["damaged records"] : [],
    expected: {
      columns,
      rows: facts.readings.map(({ capture, entry, time, channel, value }) => [
        capture.device.name,
        String(entry.sequence),
        isoTime(time),
        channel,
        value === null ? "" : (value / 10 ** decimals).toFixed(decimals),
        String(entry.quality),
      ]),
    },
    solve: solve('decimal(r["value"])'),
    mistake: {
      name: "values taken as unsigned",
      solve: solve('decimal(r["value"] if r["value"] is None else r["value"] % 65536)'),
    },
    check: compareTable(path),
  };
}
