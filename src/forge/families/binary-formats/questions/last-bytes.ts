import type { Question } from "../../composition/index.ts";
import type { Encoded } from "../encode.ts";
import { compareLines, hexOf, type Setting, sourcesOf } from "./setting.ts";

/** The last sound record of each file, byte by byte. */
export function lastBytes(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const { captures, format } = facts.world;
  const path = `${folder}/${random.pick(["last-records", "tails", "final"])}.hex`;
  const expected = captures.map((capture) => {
    const last = facts.sound.filter((one) => one.capture === capture).at(-1);
    const { bytes } = facts.encoded.get(capture) as Encoded;
    return `${capture.file} ${last?.offset} ${hexOf(bytes.slice(last?.offset, (last?.offset ?? 0) + (last?.size ?? 0)))}`;
  });
  const solve = (offset: string) => `
lines = []
for name, data in files.items():
    last = [record for record in sound if record["file"] == name][-1]
    lines.append(f"{name} {${offset}} {data[last['offset'] : last['offset'] + last['size']].hex()}\\n")
Path("${path}").write_text("".join(lines))`;
  return {
    key: "last_bytes",
    shape: "record-hex-lines",
    artefact: path,
    format: "text lines",
    statement: "The last record of each file is given with its offset and bytes",
    demand: `\`${path}\`: for each file, sorted by name, a line with its name, the offset in decimal at which its last${format.difficulty >= 3 ? " sound" : ""} record begins (of whatever mode), and that record's bytes${format.difficulty >= 4 ? ", padding included," : ""} in lower-case hex without spaces; the three separated by one space.`,
    derivation: "places of the records",
    ordering: "by file name",
    sources: sourcesOf(setting),
    expected,
    solve: solve("last['offset']"),
    mistake: { name: "offsets in hex", solve: solve("hex(last['offset'])") },
    check: compareLines(path),
  };
}
