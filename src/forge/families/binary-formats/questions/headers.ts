import type { Question } from "../../composition/index.ts";
import { isoTime } from "../facts.ts";
import { epochOf } from "../world.ts";
import { compareJson, type Setting, sourcesOf, writeJson } from "./setting.ts";

/** What the headers say. */
export function headers(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const { format, captures } = facts.world;
  const path = `${folder}/${random.pick(["headers", "inventory", "files"])}.json`;
  const solve = (epoch: string) =>
    writeJson(
      path,
      `{name: {"device": h["device"], "version": h["version"], "endian": "big" if h["order"] == ">" else "little", "base": iso(${epoch} + h["base"]), "records": h["count"]} for name, h in headers.items()}`,
    );
  return {
    key: "headers",
    shape: "header-inventory",
    artefact: path,
    format: "JSON object of objects",
    statement: "The headers of all files are listed",
    demand: `\`${path}\`: for each file name in \`/app/${format.root}/${format.folder}\` what its header says, an object with \`device\` (the name), \`version\`, \`endian\` (\`big\` or \`little\`), \`base\` (the base time as \`YYYY-MM-DDTHH:MM:SSZ\`) and \`records\` (the number written).`,
    derivation: "header fields",
    sources: sourcesOf(setting),
    expected: Object.fromEntries(
      captures.map((capture) => [
        capture.file,
        {
          device: capture.device.name,
          version: capture.version,
          endian: capture.bigEndian ? "big" : "little",
          base: isoTime(epochOf(format) / 1000 + capture.base),
          records: capture.entries.length,
        },
      ]),
    ),
    solve: solve("EPOCH"),
    mistake: { name: "times counted from 1970", solve: solve("0") },
    check: compareJson(path),
  };
}
