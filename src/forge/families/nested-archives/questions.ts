import type { Random } from "../../../statistics/index.ts";
import type { Question } from "../composition/index.ts";
import type { Facts } from "./facts.ts";

export type Setting = {
  readonly random: Random;
  readonly facts: Facts;
  readonly folder: string;
  /** Where the recovered files go. */
  readonly target: string;
};

const compareTable = (path: string) => `v.equal(v.csv("${path}"), [wanted["columns"]] + wanted["rows"], "${path}")`;
const writeTable = (path: string, columns: readonly string[]) =>
  `with open("${path}", "w", newline="") as target:
    writer = csv.writer(target, lineterminator="\\n")
    writer.writerow(${JSON.stringify(columns)})
    writer.writerows(rows)`;
const sourcesOf = ({ world }: Facts) => [`/app/${world.drop}`];
const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const extensionOf = (path: string) => path.slice(path.lastIndexOf(".") + 1);
const instant = (seconds: number) => new Date(seconds * 1000).toISOString().replace(".000Z", "Z");
const importSha256 = `try:
    from _sha256 import sha256
except ImportError:
    from hashlib import sha256`;

/** The files themselves. */
export function tree({ facts, target }: Setting): Question {
  const solve = (wanted: string) => `
for path, content in ${wanted}:
    place = Path("${target}") / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)`;
  return {
    key: "tree",
    shape: "recovered-tree",
    artefact: target,
    format: "files",
    weight: 2,
    statement: "Every recoverable file stands under its catalogued path, and nothing else does",
    demand: `Put everything that can be had whole under \`${target}\`, each file at the path that the catalogue gives it (\`${target}/${facts.recovered[0]?.leaf.path}\` and so on). Nothing else may be there: no archives, no damaged files, none of the rubbish that got packed along and isn't in the catalogue.`,
    derivation: "members of all archives at any depth whose bytes have the catalogued checksum",
    sources: sourcesOf(facts),
    negatives: ["files that the catalogue doesn't list", "damaged files", "archives"],
    expected: Object.fromEntries(facts.recovered.map(({ leaf }) => [leaf.path, leaf.digest])),
    solve: solve("recovered.items()"),
    mistake: {
      name: "keeps what the catalogue doesn't list",
      solve: solve(
        `list(recovered.items()) + [(name, data) for name, data, *_ in found if name not in catalogue and "/" not in name or name[:4] in ("tmp/", "lab/") and name not in catalogue]`,
      ),
    },
    check: `${importSha256}
v.equal(v.tree("${target}"), sorted(wanted), "${target}")
for path in sorted(wanted):
    v.equal(sha256(v.read_bytes("${target}/" + path)).hexdigest(), wanted[path], "the checksum of " + path)`,
  };
}

/** What is gone. */
export function lost({ random, facts, folder }: Setting): Question {
  const path = `${folder}/${random.pick(["lost", "missing", "gone"])}.txt`;
  const solve = (part: string) => `
Path("${path}").write_text("".join(f"{path}\\n" for path in lost${part}))`;
  return {
    key: "lost",
    shape: "missing-lines",
    artefact: path,
    format: "text lines",
    statement: "Catalogued files that can't be had whole are listed",
    demand: `\`${path}\`: the catalogued paths that can't be had whole from anywhere, one a line, in alphabetical (byte) order.`,
    derivation: "catalogue minus recovered files",
    ordering: "ascending",
    sources: sourcesOf(facts),
    expected: facts.lost,
    solve: solve(""),
    mistake: { name: "stops one early", solve: solve("[:-1]") },
    check: `v.equal(v.lines("${path}"), wanted, "${path}")`,
  };
}

/** One row for each recovered file. */
export function manifest({ random, facts, folder }: Setting): Question {
  const path = `${folder}/${random.pick(["manifest", "recovered", "report"])}.csv`;
  const columns = random.pick([
    ["path", "bytes", "sha256", "container"],
    ["file", "size", "checksum", "found_in"],
  ]);
  const solve = (digest: string) => `
rows = [[path, len(data), ${digest}, sources[path]] for path, data in recovered.items()]
${writeTable(path, columns)}`;
  return {
    key: "manifest",
    shape: "file-manifest-csv",
    artefact: path,
    format: "CSV with header",
    statement: "A manifest lists the recovered files with size, checksum and where they came from",
    demand: `A manifest of what was recovered, \`${path}\`, header \`${columns.join(",")}\`, sorted by path: bytes, SHA-256 in lower-case hex, and in the last column the name of the file in \`/app/${facts.world.drop}\` whose inside it came from${facts.world.difficulty >= 4 ? " (for one that is split, the name without the number)" : ""}; when several yield it, the alphabetically first.`,
    derivation: "recovered files and the outermost container of each",
    ordering: "by path",
    sources: sourcesOf(facts),
    expected: {
      columns,
      rows: facts.recovered.map(({ leaf, container }) => [
        leaf.path,
        String(leaf.content.length),
        leaf.digest,
        container,
      ]),
    },
    solve: solve("catalogue[path][1]"),
    mistake: { name: "checksums of the names", solve: solve("hashlib.sha256(path.encode()).hexdigest()") },
    check: compareTable(path),
  };
}

/** Files with the same content. */
export function duplicates({ random, facts, folder }: Setting): Question {
  const path = `${folder}/${random.pick(["duplicates", "same-content"])}.json`;
  const groups = new Map<string, string[]>();
  for (const { leaf } of facts.recovered) groups.set(leaf.digest, [...(groups.get(leaf.digest) ?? []), leaf.path]);
  const solve = (least: number) => `
groups = {}
for path in recovered:
    groups.setdefault(catalogue[path][1], []).append(path)
twins = sorted(paths for paths in groups.values() if len(paths) > ${least})
Path("${path}").write_text(json.dumps(twins, indent=1) + "\\n")`;
  return {
    key: "duplicates",
    shape: "grouped-duplicates",
    artefact: path,
    format: "JSON array of arrays",
    statement: "Recovered files with the same content are grouped",
    demand: `Some files were kept under several names. \`${path}\`: a JSON array with, for each content that more than one recovered file has, the array of their paths; paths sorted inside, the groups sorted by their first path.`,
    derivation: "recovered files grouped by checksum",
    ordering: "paths within groups, groups by first path",
    sources: sourcesOf(facts),
    expected: [...groups.values()].filter((paths) => paths.length > 1).sort((a, b) => byText(a[0]!, b[0]!)),
    solve: solve(1),
    mistake: { name: "lists single files too", solve: solve(0) },
    check: `v.equal(v.json("${path}"), wanted, "${path}")`,
  };
}

/** What the containers really were. */
export function formats({ facts, folder }: Setting): Question {
  const path = `${folder}/formats.json`;
  const { world } = facts;
  const solve = (value: string) => `
Path("${path}").write_text(json.dumps({name: ${value} for name, kinds in met.items()}, indent=1) + "\\n")`;
  return {
    key: "formats",
    shape: "format-sets-object",
    artefact: path,
    format: "JSON object of arrays",
    statement: "The true formats inside each container are named",
    demand: `Since the extensions lie: \`${path}\`, a JSON object with an entry for each file in \`/app/${world.drop}\` other than the catalogue${world.difficulty >= 4 ? " (one entry for all pieces of a split one, under the name without the number)" : ""}, whose value is the sorted array of the formats met inside at any depth, itself included: \`gzip\`, \`tar\`, \`xz\`, \`zip\`${world.difficulty >= 4 ? " (text armour, splitting and whatever stands in front don't count)" : ""}.`,
    derivation: "signatures at every depth",
    ordering: "arrays sorted",
    sources: sourcesOf(facts),
    expected: world.formats,
    solve: solve("sorted(kinds)"),
    mistake: { name: "one format each", solve: solve("sorted(kinds)[-1:]") },
    check: `v.equal(v.json("${path}"), wanted, "${path}")`,
  };
}

/** A file that sha256sum can check. */
export function checksums({ random, facts, folder, target }: Setting): Question {
  const path = `${folder}/${random.pick(["SHA256SUMS", "recovered.sha256"])}`;
  const line = (digest: string, name: string) => `${digest}  ${name}`;
  const solve = (order: string) => `
sums = [f"{catalogue[path][1]}  {path}\\n" for path in ${order}]
Path("${path}").write_text("".join(sums))`;
  return {
    key: "checksums",
    shape: "checksum-file",
    artefact: path,
    format: "sha256sum lines",
    statement: "A checksum file for the recovered files is there",
    demand: `A checksum file \`${path}\`, so that \`sha256sum -c\` run in \`${target}\` checks all recovered files: \`<sha256>  <path>\` with two spaces, paths as in the catalogue, sorted by path.`,
    derivation: "SHA-256 of each recovered file",
    ordering: "by path",
    sources: sourcesOf(facts),
    expected: facts.recovered.map(({ leaf }) => line(leaf.digest, leaf.path)),
    solve: solve("recovered"),
    mistake: { name: "lists the lost ones as well", solve: solve("sorted(catalogue)") },
    check: `v.equal(v.lines("${path}"), wanted, "${path}")`,
  };
}

/** How much there is of each kind of file. */
export function kinds({ random, facts, folder }: Setting): Question {
  const path = `${folder}/by-extension.json`;
  const [count, bytes] = random.pick([
    ["files", "bytes"],
    ["count", "size"],
  ] as const);
  const expected: Record<string, Record<string, number>> = {};
  for (const { leaf } of facts.recovered) {
    const extension = extensionOf(leaf.path);
    const entry = expected[extension] ?? { [count]: 0, [bytes]: 0 };
    expected[extension] = { [count]: entry[count]! + 1, [bytes]: entry[bytes]! + leaf.content.length };
  }
  const solve = (paths: string) => `
kinds = {}
for path in ${paths}:
    entry = kinds.setdefault(path.rsplit(".", 1)[1], {"${count}": 0, "${bytes}": 0})
    entry["${count}"] += 1
    entry["${bytes}"] += catalogue[path][0]
Path("${path}").write_text(json.dumps(kinds, indent=1) + "\\n")`;
  return {
    key: "kinds",
    shape: "totals-by-extension",
    artefact: path,
    format: "JSON object of objects",
    statement: "Recovered files are counted by extension",
    demand: `\`${path}\`, a JSON object from extension (without the dot) to \`${count}\` and \`${bytes}\`: how many recovered files have it and how large they are together.`,
    derivation: "recovered files by extension",
    sources: sourcesOf(facts),
    expected,
    solve: solve("recovered"),
    mistake: { name: "counts the whole catalogue", solve: solve("catalogue") },
    check: `v.equal(v.json("${path}"), wanted, "${path}")`,
  };
}

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

/** Something that only the contents tell. */
export function sums({ random, facts, folder }: Setting): Question {
  const path = `${folder}/${random.pick(["sensors", "readings"])}.json`;
  const [count, total, highest] = random.pick([
    ["rows", "sum", "max"],
    ["readings", "total", "highest"],
  ] as const);
  const expected: Record<string, Record<string, number>> = {};
  for (const { leaf } of facts.recovered) {
    if (!leaf.path.endsWith(".csv")) continue;
    for (const row of new TextDecoder().decode(leaf.content).trim().split("\n").slice(1)) {
      const [, sensor = "", text = ""] = row.split(",");
      const value = Number(text);
      const entry = expected[sensor] ?? { [count]: 0, [total]: 0, [highest]: value };
      expected[sensor] = {
        [count]: entry[count]! + 1,
        [total]: entry[total]! + value,
        [highest]: Math.max(entry[highest]!, value),
      };
    }
  }
  const solve = (skip: string) => `
sensors = {}
for path, data in recovered.items():
    if path.endswith(".csv"):
        for line in data.decode().splitlines()[${skip}:]:
            _, sensor, value = line.split(",")
            entry = sensors.setdefault(sensor, {"${count}": 0, "${total}": 0, "${highest}": int(value)})
            entry["${count}"] += 1
            entry["${total}"] += int(value)
            entry["${highest}"] = max(entry["${highest}"], int(value))
Path("${path}").write_text(json.dumps(sensors, indent=1) + "\\n")`;
  return {
    key: "sums",
    shape: "content-aggregate",
    artefact: path,
    format: "JSON object of objects",
    statement: "The recovered readings are added up by sensor",
    demand: `The recovered \`.csv\` files hold readings (\`time,sensor,value\`). Add them up in \`${path}\`: a JSON object from sensor to \`${count}\` (how many), \`${total}\` and \`${highest}\` of the values, over all recovered \`.csv\` files, copies counted as often as they are there.`,
    derivation: "rows of the recovered CSV files",
    sources: sourcesOf(facts),
    expected,
    solve: solve("1"),
    mistake: { name: "loses the first reading of each file", solve: solve("2") },
    check: `v.equal(v.json("${path}"), wanted, "${path}")`,
  };
}

/** When the files were last changed. */
export function timeline({ random, facts, folder }: Setting): Question {
  const path = `${folder}/by-time.csv`;
  const columns = random.pick([
    ["modified", "path"],
    ["mtime_utc", "file"],
  ]);
  const rows = facts.recovered
    .map(({ leaf }) => leaf)
    .sort((a, b) => b.modified - a.modified || byText(a.path, b.path))
    .map((leaf) => [instant(leaf.modified), leaf.path]);
  const solve = (sign: string) => `
order = sorted(recovered, key=lambda path: (${sign}modified[path], path))
rows = [[time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(modified[path])), path] for path in order]
${writeTable(path, columns)}`;
  return {
    key: "timeline",
    shape: "modified-timeline-csv",
    artefact: path,
    format: "CSV with header",
    statement: "Recovered files are listed by the time of their last change",
    demand: `\`${path}\`, header \`${columns.join(",")}\`: the recovered files, the one changed last first (equal times by path), with the time that the archive has for them as \`2025-03-01T08:00:02Z\`. The zip archives were made on machines that run on UTC.`,
    derivation: "modification times of the members",
    ordering: "time descending, then path",
    sources: sourcesOf(facts),
    expected: { columns, rows },
    solve: solve("-"),
    mistake: { name: "oldest first", solve: solve("") },
    check: compareTable(path),
  };
}

/** How much of each folder is left. */
export function coverage({ facts, folder }: Setting): Question {
  const path = `${folder}/coverage.txt`;
  const totals = new Map<string, [number, number]>();
  const kept = new Set(facts.recovered.map(({ leaf }) => leaf.path));
  for (const leaf of facts.world.leaves) {
    const name = leaf.path.split("/")[0] as string;
    const [have, all] = totals.get(name) ?? [0, 0];
    totals.set(name, [have + (kept.has(leaf.path) ? 1 : 0), all + 1]);
  }
  const lines = [...totals]
    .sort(([a], [b]) => byText(a, b))
    .map(([name, [have, all]]) => {
      const tenths = Math.floor((2000 * have + all) / (2 * all));
      return `${name} ${have}/${all} ${Math.floor(tenths / 10)}.${tenths % 10}%`;
    });
  const solve = (base: string) => `
have, everything = {}, {}
for path in catalogue:
    top = path.split("/")[0]
    have[top] = have.get(top, 0) + (path in recovered)
    everything[top] = everything.get(top, 0) + 1
lines = []
for top in sorted(everything):
    tenths = (2000 * have[top] + ${base}) // max(1, 2 * ${base})
    lines.append(f"{top} {have[top]}/{${base}} {tenths // 10}.{tenths % 10}%\\n")
Path("${path}").write_text("".join(lines))`;
  return {
    key: "coverage",
    shape: "percentage-lines",
    artefact: path,
    format: "text lines",
    statement: "For each top folder the share of recovered files is given",
    demand: `\`${path}\`, a line for each top-level folder of the catalogue, sorted by name, with recovered and catalogued files and their share, as in \`lab 12/15 80.0%\` (one decimal, halves up).`,
    derivation: "catalogue and recovered files by first path component",
    ordering: "by folder",
    sources: sourcesOf(facts),
    expected: lines,
    solve: solve("everything[top]"),
    mistake: { name: "measures against itself", solve: solve("have[top]") },
    check: `v.equal(v.lines("${path}"), wanted, "${path}")`,
  };
}
