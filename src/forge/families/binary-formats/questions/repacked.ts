import type { Question } from "../../composition/index.ts";
import { concat } from "../../encoding/index.ts";
import { integer } from "../encode.ts";
import { missing } from "../format.ts";
import { hexOf, type Setting, sourcesOf } from "./setting.ts";

/** The measurements in a plain binary layout. */
export function repacked(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const path = `${folder}/${random.pick(["readings", "import", "clean"])}.bin`;
  const big = random.boolean();
  const order = random.shuffle(["device number", "record number", "seconds since 1970"]);
  const bytes = concat(
    facts.readings.map(({ capture, entry, time, value }) => {
      const numbers: Record<string, number> = {
        "device number": capture.device.number,
        "record number": entry.sequence,
        "seconds since 1970": time,
      };
      return concat([
        ...order.map((name) => integer(numbers[name] as number, 4, big)),
        integer(value ?? missing, 2, big),
        integer(entry.quality, 1, big),
        Uint8Array.of(0),
      ]);
    }),
  );
  const python: Record<string, string> = {
    "device number": 'r["device"]',
    "record number": 'r["sequence"]',
    "seconds since 1970": 'r["time"]',
  };
  const solve = (mark: string) => `
Path("${path}").write_bytes(b"".join(
    struct.pack("${mark}IIIhBx", ${order.map((name) => python[name]).join(", ")}, -32768 if r["value"] is None else r["value"], r["quality"])
    for r in readings
))`;
  return {
    key: "repacked",
    shape: "re-encoded-binary",
    artefact: path,
    format: "binary",
    statement: "The measurements are written in the importer's binary layout",
    demand: `Write the measurements for the importer to \`${path}\`: no header, 16 bytes for each, ${big ? "big" : "little"}-endian, sorted by device name and then by record number: ${order.join(", ")} (unsigned, four bytes each), the value as it is stored (signed, two bytes, in ${facts.world.format.decimals === 1 ? "tenths" : "hundredths"}, -32768 for none), the quality (one byte), a zero byte.`,
    derivation: "decoded measurements, encoded anew",
    ordering: "by device name, then number",
    sources: sourcesOf(setting),
    expected: hexOf(bytes),
    solve: solve(big ? ">" : "<"),
    mistake: { name: "the other byte order", solve: solve(big ? "<" : ">") },
    check: `data = v.read_bytes("${path}")
v.expect(len(data) == len(wanted) // 2, "${path} has " + str(len(data)) + " bytes, " + str(len(wanted) // 2) + " expected")
v.equal([data[at : at + 16].hex() for at in range(0, len(data), 16)], [wanted[at : at + 32] for at in range(0, len(wanted), 32)], "${path} by records")`,
  };
}
