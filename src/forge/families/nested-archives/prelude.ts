import type { Difficulty } from "../family.ts";
import type { World } from "./world.ts";

const wholeZip = `
def zip_members(data):
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except zipfile.BadZipFile:
        return
    for entry in archive.infolist():
        yield entry.filename, archive.read(entry), calendar.timegm((*entry.date_time, 0, 0, 0))
`;
const brokenZip = `
def zip_members(data):
    at = 0
    while data[at : at + 4] == b"PK\\x03\\x04":
        number = lambda offset, size: int.from_bytes(data[at + offset : at + offset + size], "little")
        start = at + 30 + number(26, 2) + number(28, 2)
        end = start + number(18, 4)
        if end > len(data):
            break
        name = data[at + 30 : at + 30 + number(26, 2)].decode()
        content = data[start:end] if number(8, 2) == 0 else zlib.decompress(data[start:end], -15)
        time, day = number(10, 2), number(12, 2)
        moment = (1980 + (day >> 9), day >> 5 & 15, day & 31, time >> 11, time >> 5 & 63, (time & 31) * 2, 0, 0, 0)
        yield name, content, calendar.timegm(moment)
        at = end
`;

/** Python that opens everything into `recovered`, `sources`, `modified`, `met` and `lost`, as far as `skill` goes. */
export function preludeFor(world: World, skill: Difficulty, report: string): string {
  const imports = [
    ...(skill >= 4 ? ["base64"] : []),
    "calendar",
    "csv",
    "hashlib",
    ...(skill < 3 ? ["io"] : []),
    "json",
    ...(skill >= 2 ? ["lzma"] : []),
    "time",
    ...(skill < 3 ? ["zipfile"] : []),
    "zlib",
  ].map((name) => `import ${name}`);
  return `${imports.join("\n")}
from pathlib import Path

DROP = Path("/app/${world.drop}")
REPORT = Path("${report}")
REPORT.mkdir(parents=True, exist_ok=True)
with open(DROP / "${world.catalogue}") as source:
    catalogue = {row["path"]: (int(row["bytes"]), row["sha256"]) for row in csv.DictReader(source)}
files = {path.name: path.read_bytes() for path in DROP.iterdir() if path.name != "${world.catalogue}"}
${
  skill >= 4
    ? `pieces = {}
for name in list(files):
    stem, _, number = name.rpartition(".")
    if number.isdigit():
        pieces.setdefault(stem, []).append((int(number), files.pop(name)))
for stem, parts in pieces.items():
    files[stem] = b"".join(content for _, content in sorted(parts))
`
    : ""
}

${(skill >= 3 ? brokenZip : wholeZip).trim()}


def tar_members(data):
    at = 0
    while at + 512 <= len(data):
        header = data[at : at + 512]
        if header[257:262] != b"ustar":
            if ${skill >= 5 ? "not any(header)" : "True"}:
                break
            at += 512
            continue
        size = int(header[124:135], 8)
        content = data[at + 512 : at + 512 + size]
        if header[156:157] in (b"0", b"\\0") and len(content) == size:
            yield header[:100].rstrip(b"\\0").decode(), content, int(header[136:147], 8)
        at += 512 + (size + 511) // 512 * 512


found, met = [], {}


def walk(name, data, moment, container):
    formats = met.setdefault(container, set())
    if data[:2] == b"\\x1f\\x8b":
        formats.add("gzip")
${
  skill >= 3
    ? `        walk(name, zlib.decompressobj(31).decompress(data), moment, container)`
    : `        try:
            walk(name, zlib.decompress(data, 31), moment, container)
        except zlib.error:
            pass`
}
${
  skill >= 2
    ? `    elif data[:6] == b"\\xfd7zXZ\\0":
        formats.add("xz")
        walk(name, lzma.decompress(data), moment, container)`
    : ""
}
    elif data[:4] == b"PK\\x03\\x04":
        formats.add("zip")
        for member in zip_members(data):
            walk(*member, container)
    elif data[257:262] == b"ustar":
        formats.add("tar")
        for member in tar_members(data):
            walk(*member, container)
${
  skill >= 4
    ? `    elif data[:10] == b"-----BEGIN":
        walk(name, base64.b64decode(b"".join(data.split(b"\\n")[1:-2])), moment, container)
    elif data[:2] == b"#!" and b"\\x1f\\x8b\\x08" in data:
        walk(name, data[data.index(b"\\x1f\\x8b\\x08") :], moment, container)`
    : ""
}
    else:
        found.append((name, data, moment, container))


for container in sorted(files):
    walk(container, files[container], 0, container)
recovered, sources, modified = {}, {}, {}
for name, data, moment, container in found:
    digest = hashlib.sha256(data).hexdigest()
    names = [name]
${
  skill >= 5
    ? `    if name not in catalogue:
        names = [path for path, (_, wanted) in catalogue.items() if wanted == digest]`
    : ""
}
    for path in names:
        if path in catalogue and catalogue[path][1] == digest and path not in recovered:
            recovered[path], sources[path], modified[path] = data, container, moment
recovered = dict(sorted(recovered.items()))
lost = sorted(set(catalogue) - set(recovered))
`.replace(/\n{4,}/g, "\n\n\n");
}
