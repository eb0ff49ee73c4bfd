import type { Difficulty } from "../family.ts";
import type { Layout } from "./files.ts";
import type { World } from "./world.ts";

/** Python that reads the repository's objects and references, with the kinds of work known at `skill`. */
export function preludeFor(world: World, layout: Layout, skill: Difficulty, folder: string): string {
  const damage = skill >= 5;
  return `import csv
import hashlib
import json
import re
import zlib
from pathlib import Path

GIT = Path("/app/${layout.repository}")
REPORT = Path("${folder}")
REPORT.mkdir(parents=True, exist_ok=True)
objects = {}


def keep(kind, content):
    objects[hashlib.sha1(f"{kind} {len(content)}\\0".encode() + content).hexdigest()] = (kind, content)


def read_pack(path):
    data, at = path.read_bytes(), 12
    for _ in range(int.from_bytes(data[8:12], "big")):
        kind, more = data[at] >> 4 & 7, data[at] & 128
        at += 1
        while more:
            more = data[at] & 128
            at += 1
        stream = zlib.decompressobj()
        content = stream.decompress(data[at:])
        at = len(data) - len(stream.unused_data)
        keep({1: "commit", 2: "tree", 3: "blob", 4: "tag"}[kind], content)


for path in sorted(GIT.glob("objects/??/*")):
    ${damage ? 'try:\n        head, _, content = zlib.decompress(path.read_bytes()).partition(b"\\0")\n    except zlib.error:\n        continue' : 'head, _, content = zlib.decompress(path.read_bytes()).partition(b"\\0")'}
    keep(head.decode().split()[0], content)
for path in [*GIT.glob("objects/pack/*.pack")${damage ? `, *Path("/app/${layout.rescue}").glob("*.pack")` : ""}]:
    read_pack(path)

refs = {}
for line in (GIT / "packed-refs").read_text().splitlines():
    if line[0] not in "#^":
        refs[line.split()[1]] = line.split()[0]
for path in GIT.glob("refs/**/*"):
    if path.is_file():
        refs[str(path.relative_to(GIT))] = path.read_text().strip()
branches = {name[len("refs/heads/"):]: target for name, target in sorted(refs.items()) if name.startswith("refs/heads/")}
tags = {}
for name, target in sorted(refs.items()):
    if name.startswith("refs/tags/"):
        annotated = objects[target][0] == "tag"
        tags[name[len("refs/tags/"):]] = (re.match(rb"object (\\w+)", objects[target][1])[1].decode() if annotated else target, annotated)
trunk = branches["${world.trunkName}"]


def parse(content):
    head, _, message = content.decode().partition("\\n\\n")
    fields = {"parent": []}
    for line in head.split("\\n"):
        key, value = line.split(" ", 1)
        if key == "parent":
            fields["parent"].append(value)
        else:
            fields[key] = value
    author = re.fullmatch(r"(.*) <(.*)> (\\d+) (\\S+)", fields["author"]).groups()
    committer = re.fullmatch(r"(.*) <(.*)> (\\d+) (\\S+)", fields["committer"]).groups()
    return {"tree": fields["tree"], "parents": fields["parent"], "author": author[:2], "seconds": int(committer[2]), "subject": message.split("\\n")[0], "message": message}


commits = {name: parse(content) for name, (kind, content) in objects.items() if kind == "commit"}
trees = {}


def tree(name):
    if name not in trees:
        data, found = objects[name][1], {}
        while data:
            head, _, rest = data.partition(b"\\0")
            mode, label = head.decode().split(" ", 1)
            child, data = rest[:20].hex(), rest[20:]
            if mode == "40000":
                found.update({f"{label}/{path}": blob for path, blob in tree(child).items()})
            else:
                found[label] = child
        trees[name] = found
    return trees[name]


def files(commit):
    return tree(commits[commit]["tree"])


def text(commit, path):
    return objects[files(commit)[path]][1].decode()


def reachable(*starts):
    found, queue = set(), list(starts)
    while queue:
        name = queue.pop()
        if name not in found:
            found.add(name)
            queue += commits[name]["parents"]
    return found


line = [trunk]
while commits[line[-1]]["parents"]:
    line.append(commits[line[-1]]["parents"][0])
line.reverse()
everything = reachable(*branches.values(), *(commit for commit, _ in tags.values()))
lost = sorted(set(commits) - everything, key=lambda name: commits[name]["seconds"])
names = {}
${
  skill >= 2
    ? `if ".mailmap" in files(trunk):
    for entry in text(trunk, ".mailmap").splitlines():
        if not entry.startswith("#"):
            proper, address, old, alias = re.fullmatch(r"(.*?) <(.*?)> ?(.*?) ?<(.*?)>", entry).groups()
            names[old or None, alias] = (proper, address)`
    : ""
}


def person(name, address):
    return names.get((name, address)) or names.get((None, address)) or (name, address)


people = {}
for name in everything:
    commit = commits[name]
    if len(commit["parents"]) > 1${skill >= 4 ? ' or "(cherry picked from commit " in commit["message"]' : ""}:
        continue
    who = {person(*commit["author"])}
    ${skill >= 3 ? 'who |= {person(*match) for match in re.findall(r"^Co-authored-by: (.*) <(.*)>$", commit["message"], re.M)}\n    ' : ""}for one in who:
        people[one] = people.get(one, 0) + 1
`;
}
