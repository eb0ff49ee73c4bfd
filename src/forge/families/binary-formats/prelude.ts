import type { Difficulty } from "../family.ts";
import { fieldSizes } from "./format.ts";
import type { World } from "./world.ts";

const letters = { sequence: "I", seconds: "I", value: "h", channel: "B", status: "B" } as const;
const checks = {
  sum: `
def check_of(data):
    return sum(data) % 65536
`,
  fletcher: `
def check_of(data):
    a = b = 0
    for byte in data:
        a = (a + byte) % 255
        b = (b + a) % 255
    return 256 * b + a
`,
  crc: `
def check_of(data):
    value = 0xFFFF
    for byte in data:
        value ^= byte << 8
        for _ in range(8):
            value = (value << 1 ^ 0x1021) & 0xFFFF if value & 0x8000 else value << 1
    return value
`,
};
const varints = `
def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift, at = shift + 7, at + 1
        if data[at - 1] < 128:
            return value, at


def unpack_body(body):
    sequence, at = varint(body, 0)
    seconds, at = varint(body, at)
    folded, _ = varint(body, at + 2)
    return {"sequence": sequence, "seconds": seconds, "channel": body[at], "status": body[at + 1], "value": folded >> 1 ^ -(folded & 1)}
`;

/** Python that reads every file into `headers`, `sound`, `damaged` and `readings`, as far as `skill` goes. */
export function preludeFor({ format }: World, skill: Difficulty, folder: string): string {
  const { difficulty, shifts } = format;
  const marked = difficulty >= 5 ? 2 : 0;
  const checked = difficulty >= 3 ? 2 : 0;
  const size = format.fields.reduce((sum, name) => sum + fieldSizes[name], 0);
  const order = skill >= 3 ? '">" if data[4:6] == b"\\1\\2" else "<"' : `"${format.bigEndian ? ">" : "<"}"`;
  const sound = skill >= 3 ? "int.from_bytes(data[stop : stop + 2], endian) == check_of(data[start:stop])" : "True";
  return `import csv
import json
import struct
import zlib
from datetime import datetime, timedelta
from pathlib import Path

ROOT = Path("/app/${format.root}")
OUT = Path("${folder}")
OUT.mkdir(parents=True, exist_ok=True)
EPOCH = (datetime(${format.epochYear}, 1, 1) - datetime(1970, 1, 1)).days * 86400
FIELDS = ${JSON.stringify(format.fields)}
with open(ROOT / "devices.csv", newline="") as source:
    devices = {int(row["number"]): row["name"] for row in csv.DictReader(source)}
files = {path.name: path.read_bytes() for path in sorted((ROOT / "${format.folder}").iterdir())}


def iso(seconds):
    return (datetime(1970, 1, 1) + timedelta(seconds=seconds)).isoformat() + "Z"


def decimal(value):
    return "" if value is None else f"{value / ${10 ** format.decimals}:.${format.decimals}f}"

${skill >= 3 ? checks[format.check] : ""}
${skill >= 4 ? varints : ""}

def record_at(data, start, end, header):
    """The size of what starts here, and its fields when it is sound."""
    endian = "big" if header["order"] == ">" else "little"
    at = start + ${marked}
${marked ? `    if data[start:at] != bytes(${JSON.stringify(format.marker)}):\n        return ${skill >= 5 ? "1" : "end"}, None\n` : ""}    if header["version"] == 1:
        stop = at + ${size}
        length = stop + ${checked} - start
    else:
        stop = at + 1 + data[at]
        length = (stop + 2 - start + 3) // 4 * 4
    if stop + ${checked} > end or not (${sound}):
        return ${skill >= 5 ? "1" : "length"}, None
    if header["version"] == 1:
        fields = dict(zip(FIELDS, struct.unpack_from(header["order"] + "${format.fields.map((name) => letters[name]).join("")}", data, at)))
    else:
        fields = ${skill >= 4 ? "unpack_body(data[at + 1 : stop])" : "None"}
    return length, fields


headers, sound, damaged = {}, [], {}
for name, data in files.items():
    order = ${order}
    version, device, base, count, strings = struct.unpack_from(order + "HIIII", data, 6)
    header = headers[name] = {"order": order, "version": version, "device": devices.get(device), "base": base, "count": count, "strings": []}
${
  difficulty === 1
    ? `    with open(ROOT / "channels.csv", newline="") as source:
        header["strings"] = [row["name"] for row in csv.DictReader(source)]
    end = len(data)`
    : skill === 1
      ? `    header["strings"] = [f"channel {number}" for number in range(256)]
    end = len(data)`
      : `    end, at = strings, strings + 1
    for _ in range(data[strings]):
        header["strings"].append(data[at + 1 : at + 1 + data[at]].decode())
        at += 1 + data[at]`
}
    at, damaged[name] = ${28}, []
    while at < end:
        size, fields = record_at(data, at, end, header)
        if fields is None:
            damaged[name].append(at)
        else:
            status = fields["status"]
            fields |= {"file": name, "offset": at, "size": size, "device": device, "name": header["device"], "time": EPOCH + base + fields["seconds"]}
            fields["channel"] = header["strings"][fields["channel"]]
${
  skill >= 2
    ? `            fields["quality"], fields["battery"], fields["mode"] = status >> ${shifts.quality} & 7, status >> ${shifts.battery} & 1, status >> ${shifts.mode} & 3
            if fields["value"] == -32768:
                fields["value"] = None`
    : `            fields["quality"], fields["battery"], fields["mode"] = status, 0, 0`
}
            sound.append(fields)
        at += size
${
  skill >= 5
    ? `last = {(record["name"], record["sequence"]): record for record in sound}
readings = [record for record in last.values() if record["mode"] not in (1, 3)]`
    : `readings = [record for record in sound if record["mode"] != 1]`
}
readings.sort(key=lambda record: (record["name"], record["sequence"]))
`.replace(/\n{4,}/g, "\n\n\n");
}
