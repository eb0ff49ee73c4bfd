import type { Question } from "../../composition/index.ts";
import { importSha256, type Setting, sourcesOf } from "./setting.ts";

/** A sound archive in place of the broken ones. */
export function repacked({ random, facts, folder }: Setting): Question {
  const path = `${folder}/${random.pick(["clean", "repacked", "recovered"])}.tar`;
  const solve = (order: string) => `
import io
import tarfile

with tarfile.open("${path}", "w", format=tarfile.USTAR_FORMAT) as archive:
    for path in ${order}:
        entry = tarfile.TarInfo(path)
        entry.size, entry.mtime = len(recovered[path]), modified[path]
        archive.addfile(entry, io.BytesIO(recovered[path]))`;
  return {
    key: "repacked",
    shape: "rebuilt-archive",
    artefact: path,
    format: "uncompressed tar",
    statement: "The recovered files are packed into one sound archive, in order",
    demand: `Pack the recovered files into one uncompressed tar, \`${path}\`: names as in the catalogue, sorted by path, files only (no entries for directories), each with the modification time that it had in the archive it came from.`,
    derivation: "recovered files with the times of their members",
    ordering: "by path",
    sources: sourcesOf(facts),
    expected: facts.recovered.map(({ leaf }) => [leaf.path, leaf.modified, leaf.digest]),
    solve: solve("recovered"),
    mistake: { name: "the other way round", solve: solve("reversed(list(recovered))") },
    check: `${importSha256}
data, at, members, name, moment = v.read_bytes("${path}"), 0, [], None, None
while at + 512 <= len(data) and any(data[at : at + 512]):
    header = data[at : at + 512]
    v.expect(header[257:262] == b"ustar", "${path} is not an uncompressed tar archive")
    size = int(header[124:135].strip(b" \\0") or b"0", 8)
    content, kind = data[at + 512 : at + 512 + size], header[156:157]
    at += 512 + (size + 511) // 512 * 512
    if kind == b"x":
        for record in content.split(b"\\n"):
            key, _, value = record.partition(b" ")[2].partition(b"=")
            name = value.decode() if key == b"path" else name
            moment = int(float(value)) if key == b"mtime" else moment
        continue
    if kind == b"g":
        continue
    own = (header[345:500].rstrip(b"\\0") + b"/" if header[257:263] == b"ustar\\0" and header[345] else b"") + header[:100].rstrip(b"\\0")
    v.expect(kind in (b"0", b"\\0"), "${path}: " + repr(own) + " is not a regular file")
    stamp = int(header[136:147].strip(b" \\0") or b"0", 8) if moment is None else moment
    members.append([own.decode() if name is None else name, stamp, sha256(content).hexdigest()])
    name = moment = None
v.equal(members, wanted, "${path}")`,
  };
}
