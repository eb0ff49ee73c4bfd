import type { Question } from "../../composition/index.ts";
import { concat } from "../../encoding/index.ts";
import { type Encoded, headerBytes } from "../encode.ts";
import { headerSize } from "../format.ts";
import { hexOf, type Setting, sourcesOf } from "./setting.ts";

/** Copies of the files with new device numbers, all else as it is. */
export function patched(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const { format, captures, devices } = facts.world;
  const path = `${folder}/${random.pick(["renumbered", "patched", "fixed"])}`;
  const recount = format.difficulty >= 3;
  const expected = Object.fromEntries(
    captures.map((capture) => {
      const { bytes, strings } = facts.encoded.get(capture) as Encoded;
      const count = recount ? facts.sound.filter((one) => one.capture === capture).length : capture.entries.length;
      const header = headerBytes(format, capture, capture.device.renumbered, count, strings);
      return [capture.file, hexOf(concat([header, bytes.slice(headerSize)]))];
    }),
  );
  const solve = (seal: string) => `
renumbered = {${devices.map(({ number, renumbered }) => `${number}: ${renumbered}`).join(", ")}}
target = Path("${path}")
target.mkdir(parents=True, exist_ok=True)
for name, data in files.items():
    order, patched = headers[name]["order"], bytearray(data)
    device, = struct.unpack_from(order + "I", data, 8)
    struct.pack_into(order + "I", patched, 8, renumbered[device])
${
  recount
    ? `    struct.pack_into(order + "I", patched, 16, sum(record["file"] == name for record in sound))
    struct.pack_into(order + "I", patched, 24, ${seal})
`
    : ""
}    (target / name).write_bytes(patched)`;
  const good = solve("zlib.crc32(patched[:24])");
  return {
    key: "patched",
    shape: "patched-binary",
    artefact: path,
    format: "binary files",
    statement: "Copies of the files carry the new device numbers and are otherwise the same",
    demand: `The devices get new numbers: ${devices.map(({ number, renumbered }) => `${number} becomes ${renumbered}`).join(", ")}. Put a copy of every file under its name into \`${path}/\` (nothing else there) with the new number in the header${recount ? ", with the number of its sound records as the records written, and with a header checksum that is right again" : ""}; every other byte stays as it is.`,
    derivation: "header fields replaced in place",
    sources: sourcesOf(setting),
    negatives: ["other bytes changed"],
    expected,
    solve: good,
    mistake: recount
      ? { name: "header checksum left as it was", solve: solve('struct.unpack_from(order + "I", data, 24)[0]') }
      : { name: "the number put at the wrong place", solve: good.replace("patched, 8,", "patched, 12,") },
    check: `v.equal(v.tree("${path}"), sorted(wanted), "${path}")
for name in sorted(wanted):
    data = v.read_bytes("${path}/" + name)
    good = bytes.fromhex(wanted[name])
    v.expect(len(data) == len(good), "${path}/" + name + " has " + str(len(data)) + " bytes, " + str(len(good)) + " expected")
    wrong = next((at for at in range(len(good)) if data[at] != good[at]), None)
    v.expect(wrong is None, "${path}/" + name + " differs at byte " + str(wrong))`,
  };
}
