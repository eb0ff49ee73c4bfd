import type { Difficulty } from "../family.ts";
import type { Layout } from "./files.ts";
import type { World } from "./world.ts";

const contextDiff = `
        elif row.startswith("*** ") and rows[at + 1].startswith("--- "):
            part = {"old": clean(row[4:], strip), "new": clean(rows[at + 1][4:], strip), "hunks": []}
            parts.append(part)
            at += 2
        elif row.startswith("***************"):
            start = int(re.match(r"\\*\\*\\* (\\d+)", rows[at + 1])[1])
            at += 2
            sides = [[], []]
            for side in (0, 1):
                while at < len(rows) and rows[at][:2] in ("  ", "! ", "- ", "+ ", "\\\\ "):
                    sides[side].append(rows[at])
                    at += 1
                if side == 0:
                    at += 1
            hunk = {"start": start, "lead": 0, "tail": 0}
            for label, side in (("before", sides[0]), ("after", sides[1])):
                hunk[label] = [line[2:] for line in side if line[0] != "\\\\"]
                hunk[label + " bare"] = side[-1][0] == "\\\\"
            marks = [line[0] for line in sides[0] if line[0] != "\\\\"]
            hunk["lead"] = next(index for index, mark in enumerate(marks) if mark != " ")
            hunk["tail"] = next(index for index, mark in enumerate(reversed(marks)) if mark != " ")
            hunk["removed"] = sum(mark != " " for mark in marks)
            hunk["added"] = sum(line[0] in "!+" for line in sides[1])
            part["hunks"].append(hunk)`;

const gitRename = `
        elif row.startswith("rename from "):
            part = {"old": row[12:], "new": rows[at + 1][10:], "hunks": []}
            parts.append(part)
            at += 2
            if rows[at].startswith("--- ") if at < len(rows) else False:
                at += 2`;

/** Python that reads tree and patches and applies them in memory, with the rules known at \`skill\`. */
export function preludeFor(world: World, layout: Layout, skill: Difficulty, folder: string): string {
  const { project } = world;
  return `import csv
import hashlib
import json
import re
import shutil
from pathlib import Path

TREE = Path("/app/${project}")
QUEUE = Path("/app/${layout.queue}")
REPORT = Path("${folder}")
REPORT.mkdir(parents=True, exist_ok=True)
tree = {}
for path in TREE.rglob("*"):
    if path.is_file():
        data = path.read_bytes().decode()
        crlf = ${skill >= 3 ? '"\\r\\n" in data' : "False"}
        end = "\\r\\n" if crlf else "\\n"
        bare = not data.endswith(end)
        tree[str(path.relative_to(TREE))] = {"lines": data.removesuffix(end).split(end), "end": end, "bare": bare}


def clean(name, strip):
    name = name.split("\\t")[0]
    return None if name == "/dev/null" else "/".join(name.split("/")[strip:])


def parse(content, strip):
    rows, at, parts = content.split("\\n"), 0, []
    while not rows[at].startswith(("--- ", "diff ", "*** ")):
        at += 1
    while at < len(rows):
        row = rows[at]
        if row.startswith("--- ") and rows[at + 1].startswith("+++ "):
            part = {"old": clean(row[4:], strip), "new": clean(rows[at + 1][4:], strip), "hunks": []}
            parts.append(part)
            at += 2
        elif row.startswith("@@ "):
            start, count, _, fresh = (int(text or 1) for text in re.match(r"@@ -(\\d+)(?:,(\\d+))? \\+(\\d+)(?:,(\\d+))? @@", row).groups())
            at += 1
            hunk = {"start": start, "before": [], "after": [], "before bare": False, "after bare": False, "removed": 0, "added": 0}
            marks = []
            while count or fresh or (at < len(rows) and rows[at][:1] == "\\\\"):
                mark, line = rows[at][:1], rows[at][1:]
                at += 1
                if mark == "\\\\":
                    hunk["before bare"] |= marks[-1] in " -"
                    hunk["after bare"] |= marks[-1] in " +"
                    continue
                marks.append(mark)
                if mark in " -":
                    hunk["before"].append(line)
                    count -= 1
                if mark in " +":
                    hunk["after"].append(line)
                    fresh -= 1
                hunk["removed"] += mark == "-"
                hunk["added"] += mark == "+"
            hunk["lead"] = next(index for index, mark in enumerate(marks) if mark != " ")
            hunk["tail"] = next(index for index, mark in enumerate(reversed(marks)) if mark != " ")
            part["hunks"].append(hunk)${skill >= 2 ? contextDiff : ""}${skill >= 3 ? gitRename : ""}
        else:
            at += 1
    return parts


def find(lines, wanted):
    size = len(wanted)
    return next((at for at in range(len(lines) - size + 1) if lines[at : at + size] == wanted), None)


def place(lines, hunk):
    for fuzz in range(${skill >= 4 ? 3 : 1}):
        front, back = min(fuzz, hunk["lead"]), min(fuzz, hunk["tail"])
        at = find(lines, hunk["before"][front : len(hunk["before"]) - back])
        if at is not None:
            return at, front, back
    return None


patches = {}
${
  skill >= 5
    ? `heads = {}
for path in QUEUE.glob("*.patch"):
    heads[path.name] = [line.split(": ", 1) for line in path.read_text().split("\\n\\n")[0].splitlines()]
superseded = {value for head in heads.values() for key, value in head if key == "Supersedes"}
waiting = sorted(set(heads) - superseded)
while waiting:
    name = next(name for name in waiting if all(value in patches for key, value in heads[name] if key == "Depends-On"))
    waiting.remove(name)
    patches[name] = int(dict(heads[name]).get("Strip", 1))`
    : `superseded = set()
if (QUEUE / "series").exists():
    for line in (QUEUE / "series").read_text().splitlines():
        if line and line[0] != "#":
            name, *options = line.split()
            patches[name] = ${skill >= 2 ? "int(options[0][2:]) if options else 1" : "1"}
else:
    patches = {path.name: 1 for path in sorted(QUEUE.glob("*.patch"))}`
}
statuses, hunks, touched = {}, [], {}
for name, strip in patches.items():
    parts = parse((QUEUE / name).read_text(), strip)
    changes = [part for part in parts if part["old"] and part["new"]]
    ${skill >= 3 ? 'there = [find(tree[part["old"]]["lines"], hunk["after"]) is not None and find(tree[part["old"]]["lines"], hunk["before"]) is None for part in changes if part["old"] in tree for hunk in part["hunks"]]' : "there = []"}
    if there and all(there):
        statuses[name] = "already applied"
        continue
    statuses[name] = "applied"
    for part in parts:
        old, new = part["old"], part["new"]
        touched.setdefault(name, []).append(new or old)
        if old is None:
            tree[new] = {"lines": part["hunks"][0]["after"], "end": "\\n", "bare": part["hunks"][0]["after bare"]}
        elif new is None:
            del tree[old]
        else:
            tree[new] = tree.pop(old)
        if old is None or new is None:
            hunk = part["hunks"][0]
            hunks.append({"patch": name, "path": new or old, "number": 1, "offset": 0, "added": hunk["added"], "removed": hunk["removed"]})
            continue
        file, shift = tree[new], 0
        spots = [place(file["lines"], hunk) for hunk in part["hunks"]]
        lines = list(file["lines"])
        for number, (hunk, spot) in enumerate(zip(part["hunks"], spots), 1):
            record = {"patch": name, "path": new, "number": number, "added": hunk["added"], "removed": hunk["removed"]}
            hunks.append(record)
            if spot is None:
                record["offset"], statuses[name] = None, "partly applied"
                continue
            at, front, back = spot
            record["offset"] = at - front - hunk["start"] + 1
            record["fuzz"] = max(front, back)
            here, size = at + shift, len(hunk["before"]) - front - back
            lines[here : here + size] = hunk["after"][front : len(hunk["after"]) - back]
            shift += len(hunk["after"]) - len(hunk["before"])
            ${skill >= 2 ? 'if hunk["before bare"] != hunk["after bare"]:\n                file["bare"] = hunk["after bare"]' : 'file["bare"] = False'}
        file["lines"] = lines
result = {path: (file["end"].join(file["lines"]) + ("" if file["bare"] else file["end"])).encode() for path, file in sorted(tree.items())}
applied = [name for name, status in statuses.items() if status.endswith("applied") and status != "already applied"]
`;
}
