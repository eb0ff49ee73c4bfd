import { compareJson, compareTable, type Question, writeJson, writeTable } from "../composition/index.ts";
import type { Fleet } from "./facts.ts";
import { waveNames } from "./files.ts";
import type { World } from "./world.ts";

const paths = {
  configs: "/app/rollout/configs",
  manifest: "/app/rollout/manifest.csv",
  history: "/app/rollout/history",
  drift: "/app/rollout/drift.json",
  pinned: "/app/rollout/pinned.json",
};

/** Python that brings `fleet` (host to [role, settings, wave]) and `pinned` up to the wave. */
export function preludeFor(world: World, index: number): string {
  const [hosts, settings, changes] = waveNames(index);
  const loadsPinned = world.difficulty >= 5 && index > 1;
  return [
    `import csv
import hashlib
import json
from pathlib import Path

WAVE = ${index + 1}
HISTORY = Path("${paths.history}")
fleet, pinned = {}, ${loadsPinned ? `json.loads(Path("${paths.pinned}").read_text())` : "{}"}


def pairs(lines):
    return dict(line.split("=", 1) for line in lines if line)


def text_of(settings):
    return "".join(f"{line}\\n" for line in sorted(f"{key}={value}" for key, value in settings.items()))


def write_all(folder, names):
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / f"{name}.conf").write_text(text_of(fleet[name][1]))

`,
    index === 0
      ? ""
      : `before = {}
for row in csv.DictReader(open("${paths.manifest}")):
    text = Path("${paths.configs}", row["host"] + ".conf").read_text()
    before[row["host"]] = text
    fleet[row["host"]] = [row["role"], pairs(text.split("\\n")), int(row["wave"])]


def apply(name, settings, change):
    op, key = change["op"], change.get("key")
    if op == "set":
        settings[key] = change["value"]
    elif op == "rename" and key in settings:
        settings[change["to"]] = settings.pop(key)
    elif op == "raise" and key in settings:
        settings[key] = str(max(int(settings[key]), change["least"]))
    elif op == "restore":
        saved = pairs((HISTORY / f"wave-{change['wave']}" / f"{name}.conf").read_text().split("\\n"))
        settings.clear()
        settings.update(saved)


for line in open("/app/${changes}"):
    change = json.loads(line)
    for name, (role, settings, _) in fleet.items():
        if change.get("host", name) != name or change.get("role", "*") not in ("*", role):
            continue
        if change["op"] == "pin":
            pinned[name] = []
        elif change["op"] == "unpin":
            for missed in pinned.pop(name):
                apply(name, settings, missed)
        elif name in pinned:
            pinned[name].append(change)
        else:
            apply(name, settings, change)
for name, text in before.items():
    if text_of(fleet[name][1]) != text:
        fleet[name][2] = WAVE`,
    `given = json.loads(Path("/app/${settings}").read_text())
for row in csv.DictReader(open("/app/${hosts}")):
    own = pairs(row["overrides"].split(";"))
    fleet[row["host"]] = [row["role"], {**given["base"], **given["roles"].get(row["role"], {}), **own}, WAVE]
new = [name for name, host in fleet.items() if host[2] == WAVE]`,
  ]
    .filter((block) => block !== "")
    .join("\n");
}

/** What is asked for in a wave. */
export function questionsFor(world: World, fleets: readonly Fleet[], index: number): Question[] {
  const now = fleets[index] as Fleet;
  const wave = index + 1;
  const named = waveNames(index).slice(0, index === 0 ? 2 : 3);
  const sources = [...named.map((path) => `/app/${path}`), ...(index === 0 ? [] : [paths.configs, paths.manifest])];
  const columns = ["host", "role", "wave", "settings", "sha256"];
  const configs: Question = {
    key: "configs",
    shape: index === 0 ? "rendered-files" : "files-changed-in-place",
    artefact: paths.configs,
    format: "files of key=value lines",
    statement: `Every host up to wave ${wave} has its configuration`,
    demand: `Roll out wave ${wave}: \`${paths.configs}\` has the file of every host of all waves so far, and nothing else.`,
    derivation: "base, role and overrides for new hosts; the changes in order for the others",
    sources,
    expected: Object.entries(now.configs).map(([host, lines]) => [host, lines]),
    solve: `write_all(Path("${paths.configs}"), fleet)`,
    mistake: {
      name: "spaces around the equals sign",
      solve: `write_all(Path("${paths.configs}"), fleet)
for path in Path("${paths.configs}").iterdir():
    path.write_text(path.read_text().replace("=", " = "))`,
    },
    check: `v.equal(v.tree("${paths.configs}"), [host + ".conf" for host, _ in wanted], "the files in ${paths.configs}")
for host, lines in wanted:
    path = "${paths.configs}/" + host + ".conf"
    v.equal(v.text(path), "".join(line + "\\n" for line in lines), path)`,
  };
  const writeManifest = (text: string) => `rows = []
for name, (role, settings, wave) in sorted(fleet.items()):
    digest = hashlib.sha256(${text}.encode()).hexdigest()
    rows.append([name, role, wave, len(settings), digest])
${writeTable(paths.manifest, columns)}`;
  const manifest: Question = {
    key: "manifest",
    shape: index === 0 ? "checksum-table" : "carried-forward-table",
    artefact: paths.manifest,
    format: "CSV with header",
    statement: "The manifest lists every host with the wave of its last change",
    demand: `\`${paths.manifest}\` lists them all.`,
    derivation: "the files, and what they were before the wave",
    ordering: "host",
    sources,
    expected: { columns, rows: now.manifest },
    solve: writeManifest("text_of(settings)"),
    mistake: { name: "hashed without the last line end", solve: writeManifest("text_of(settings).strip()") },
    check: compareTable(paths.manifest),
  };
  const place = `${paths.history}/wave-${wave}`;
  const history: Question = {
    key: "history",
    shape: "snapshot",
    artefact: paths.history,
    format: "files of key=value lines",
    statement: `All configurations are kept as they are at the end of wave ${wave}`,
    demand: `Keep the copies of this wave in \`${place}\`.`,
    derivation: "the files at the end of the wave",
    sources,
    expected: Object.entries(now.configs).map(([host, lines]) => [host, lines]),
    solve: `write_all(HISTORY / f"wave-{WAVE}", fleet)`,
    ...(index === 0
      ? {}
      : { mistake: { name: "only what changed", solve: `write_all(HISTORY / f"wave-{WAVE}", sorted(new)[:-1])` } }),
    check: `v.equal(v.tree("${place}"), [host + ".conf" for host, _ in wanted], "the files in ${place}")
for host, lines in wanted:
    path = "${place}/" + host + ".conf"
    v.equal(v.text(path), "".join(line + "\\n" for line in lines), path)`,
  };
  return [
    configs,
    manifest,
    history,
    ...(world.difficulty >= 3 ? [drift(now, wave, sources)] : []),
    ...(world.difficulty >= 5 && index > 0 ? [pinned(now, sources)] : []),
    ...(index > 0 ? [kept(fleets.slice(0, index))] : []),
  ];
}

function drift(now: Fleet, wave: number, sources: readonly string[]): Question {
  const solve = (values: string) => `differing = {}
for kind in {role for role, _, _ in fleet.values()}:
    group = [settings for role, settings, _ in fleet.values() if role == kind]
    keys = sorted({key for settings in group for key in settings})
    differing[kind] = [key for key in keys if len({${values}}) > 1]
${writeJson(paths.drift, '{"wave": WAVE, "differing": differing}')}`;
  return {
    key: "drift",
    shape: "differences-by-group",
    artefact: paths.drift,
    format: "JSON object",
    statement: "Keys in which hosts of a role differ are named",
    demand: `\`${paths.drift}\` says in which keys hosts of the same role differ now.`,
    derivation: "all files of a role compared",
    ordering: "keys as text",
    sources,
    expected: { wave, differing: now.differing },
    solve: solve("settings.get(key) for settings in group"),
    mistake: {
      name: "the wave left out",
      solve: `${solve("settings.get(key) for settings in group")}\n${writeJson(paths.drift, '{"differing": differing}')}`,
    },
    check: compareJson(paths.drift),
  };
}

function pinned(now: Fleet, sources: readonly string[]): Question {
  return {
    key: "pinned",
    shape: "pending-work",
    artefact: paths.pinned,
    format: "JSON object",
    statement: "Pinned hosts are listed with the changes that they have missed",
    demand: `\`${paths.pinned}\` says who is pinned and has missed what.`,
    derivation: "the changes of all waves since the host was pinned",
    ordering: "the changes as they came",
    sources,
    expected: now.pinned,
    solve: writeJson(paths.pinned, "pinned"),
    mistake: {
      name: "hosts that aren't pinned as well",
      solve: writeJson(paths.pinned, "{**{name: [] for name in fleet}, **pinned}"),
    },
    check: compareJson(paths.pinned),
  };
}

function kept(earlier: readonly Fleet[]): Question {
  return {
    key: "kept",
    kind: "invariant",
    shape: "snapshots-stay",
    artefact: paths.history,
    format: "files of key=value lines",
    statement: "The copies of earlier waves are what they were",
    demand: `Copies of earlier waves in \`${paths.history}\` stay as they are.`,
    derivation: "none: they were written in the steps before",
    negatives: ["a change carried into an earlier copy"],
    sources: [paths.history],
    expected: earlier.map(({ configs }) => Object.entries(configs).map(([host, lines]) => [host, lines])),
    solve: "",
    mistake: {
      name: "changes carried into earlier copies",
      solve: `write_all(HISTORY / "wave-1", [path.stem for path in (HISTORY / "wave-1").iterdir()])`,
    },
    check: `for number, hosts in enumerate(wanted, 1):
    place = "${paths.history}/wave-" + str(number)
    v.equal(v.tree(place), [host + ".conf" for host, _ in hosts], "the files in " + place)
    for host, lines in hosts:
        path = place + "/" + host + ".conf"
        v.equal(v.text(path), "".join(line + "\\n" for line in lines), path)`,
  };
}
