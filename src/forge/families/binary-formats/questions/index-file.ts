import type { Question } from "../../composition/index.ts";
import { concat } from "../../encoding/index.ts";
import { integer } from "../encode.ts";
import { hexOf, type Setting, sourcesOf } from "./setting.ts";

/** A binary index that finds a record by its number. */
export function indexFile(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const { captures, format } = facts.world;
  const path = `${folder}/${random.pick(["records", "lookup", "seek"])}.idx`;
  const big = random.boolean();
  const entries = captures.flatMap((capture, number) =>
    facts.readings
      .filter((one) => one.capture === capture)
      .sort((a, b) => a.entry.sequence - b.entry.sequence)
      .map(({ entry, offset, size }) =>
        concat([
          integer(number, 2, big),
          integer(entry.sequence, 4, big),
          integer(offset, 4, big),
          integer(size, 2, big),
        ]),
      ),
  );
  const solve = (offset: string) => `
numbers = {name: number for number, name in enumerate(files)}
found = sorted((numbers[r["file"]], r["sequence"], ${offset}, r["size"]) for r in readings)
Path("${path}").write_bytes(struct.pack("${big ? ">" : "<"}I", len(found)) + b"".join(struct.pack("${big ? ">" : "<"}HIIH", *entry) for entry in found))`;
  return {
    key: "index_file",
    shape: "binary-index",
    artefact: path,
    format: "binary",
    statement: "A binary index gives place and size of the record of every measurement",
    demand: `A binary index \`${path}\`, ${big ? "big" : "little"}-endian: four bytes with the number of entries, then twelve bytes for each measurement: the place of its file in the sorted list of file names (two bytes, from 0), the record number (four), the offset of the record's first byte in the file (four), its size in bytes${format.difficulty >= 4 ? " from there to the start of whatever follows, padding included" : ""} (two). Sorted by file, then by record number.`,
    derivation: "places of the records that were decoded",
    ordering: "by file, then number",
    sources: sourcesOf(setting),
    expected: hexOf(concat([integer(entries.length, 4, big), ...entries])),
    solve: solve('r["offset"]'),
    mistake: { name: "offsets counted from the end of the header", solve: solve('r["offset"] - 28') },
    check: `data = v.read_bytes("${path}").hex()
v.equal(data[:8], wanted[:8], "${path}: the number of entries")
v.equal([data[at : at + 24] for at in range(8, len(data), 24)], [wanted[at : at + 24] for at in range(8, len(wanted), 24)], "${path} by entries")`,
  };
}
