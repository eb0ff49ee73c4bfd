import type { Difficulty } from "../family.ts";
import type { Layout } from "./files.ts";

/** Python that reads the files and leaves `selected`, `needs`, `askers` and `order`, with the rules known at `skill`. */
export function preludeFor(layout: Layout, skill: Difficulty, folder: string): string {
  const records =
    layout.style === "lines"
      ? `    for line in path.read_text().splitlines():
        record = json.loads(line)
        add(record["package"], record["version"], record["needs"], record["after"], record["kilobytes"], record["minutes"], "withdrawn" in record)`
      : `    for stanza in path.read_text().split("\\n\\n"):
        record = dict(line.split(": ", 1) for line in stanza.strip().split("\\n"))
        listed = lambda key: record[key].split(", ") if key in record else []
        add(record["Package"], record["Version"], listed("Needs"), listed("After"), int(record["Kilobytes"]), int(record["Minutes"]), "Withdrawn" in record)`;
  return `import csv
import json
import re
from pathlib import Path

ROOT = Path("/app/${layout.root}")
REPORT = Path("${folder}")
REPORT.mkdir(parents=True, exist_ok=True)


def key(text):
    epoch, numbers, pre = re.fullmatch(r"(?:(\\d+):)?([\\d.]+)(?:-rc\\.(\\d+))?", text).groups()
    return (int(epoch or 0), *map(int, numbers.split(".")), 10**6 if pre is None else int(pre))


def meets(text, clause):
    operator, bound = re.match(r"[<>=!~^]+", clause).group(), clause.lstrip("<>=!~^")
    a, b = key(text), key(bound)
    return {
        ">=": a >= b, ">": a > b, "<": a < b, "<=": a <= b, "=": a == b, "!=": a != b,
        "~": a >= b and a[:3] == b[:3], "^": a >= b and a[:2] == b[:2],
    }[operator]


def parse(text):
    condition = re.search(r" \\((\\w+) ([\\w-]+)\\)", text)
    name, *clauses = re.sub(r" \\(.*\\)", "", text).split()
    return name, clauses, condition.groups() if condition else None


releases, after = {}, {}


def add(name, version, texts, later, kilobytes, minutes, withdrawn):
    releases.setdefault(name, {})[version] = {"needs": [parse(text) for text in texts], "kilobytes": kilobytes, "minutes": minutes, "withdrawn": withdrawn}
    after[name] = later


for path in (ROOT / "${layout.index}").iterdir():
${records}
wanted = {}
for line in (ROOT / "wanted.txt").read_text().splitlines():
    if not line.startswith("#"):
        name, *words = line.split()
        extra = words.pop(0).strip("[]") if words and words[0].startswith("[") else None
        wanted[name] = (extra, words)
installed = dict(line.split() for line in (ROOT / "installed.txt").read_text().splitlines())
settings = dict(line.split(" = ") for line in (ROOT / "settings.txt").read_text().splitlines())
held = settings.get("hold", "").split(", ")
roles = {}
if (ROOT / "alternatives.txt").exists():
    roles = {line.split(": ")[0]: line.split(": ")[1].split() for line in (ROOT / "alternatives.txt").read_text().splitlines()}


def place(name):
${
  skill >= 3
    ? `    if name in roles:
        return next((one for one in roles[name] if one in wanted), roles[name][0])
    return name`
    : "    return name"
}


def active(package, condition):
    if condition is None:
        return True
    kind, value = condition
    return ${skill >= 3 ? 'value == (settings["platform"] if kind == "platform" else wanted.get(package, (None,))[0])' : skill >= 2 ? 'kind == "platform" or value == wanted.get(package, (None,))[0]' : "True"}


def newest(name):
    allowed = [version for version, one in releases[name].items()${skill >= 2 ? ' if not one["withdrawn"] and "-rc" not in version' : ""}]
    return sorted(allowed, key=key, reverse=True)


everybody = {name: {place(need) for one in found.values() for need, _, _ in one["needs"]} for name, found in releases.items()}
undecided, selected, needs, askers, aside = dict(everybody), {}, {}, {}, {}
for name, (_, clauses) in wanted.items():
    askers.setdefault(name, {})["wanted"] = list(clauses)
while undecided:
    name = next(name for name in undecided if not any(name in others for others in undecided.values()))
    del undecided[name]
    if name not in askers:
        continue
    kept, version = dict(askers[name]), None
    while version is None:
        fits = lambda text: all(meets(text, clause) for clauses in kept.values() for clause in clauses)
        ${skill >= 4 ? "if name in held and name in installed and fits(installed[name]):\n            version = installed[name]\n            break\n        " : ""}version = next((text for text in newest(name) if fits(text)), None)
        if version is None:
            ${
              skill >= 5
                ? `last = max(asker for asker in kept if asker != "wanted")
            del kept[last]
            aside.setdefault(name, []).append(last)`
                : "version = next(iter(newest(name)), min(releases[name], key=key))"
            }
    selected[name], needs[name] = version, {}
    for need, clauses, condition in releases[name][version]["needs"]:
        if active(name, condition) and place(need) in releases:
            needs[name].setdefault(place(need), []).extend(clauses)
            askers.setdefault(place(need), {}).setdefault(name, []).extend(clauses)
selected = dict(sorted(selected.items()))


def arrange(later):
    left, result, passed = set(selected), [], []
    while left:
        free = sorted(name for name in left if not left & set(needs[name]))
        waits = lambda name: [other for other in later.get(name, []) if other in left]
        chosen = next((name for name in free if not waits(name)), free[0])
        passed += [[chosen, other] for other in waits(chosen)]
        result.append(chosen)
        left.remove(chosen)
    return result, passed


order, passed = arrange(after)
`;
}
