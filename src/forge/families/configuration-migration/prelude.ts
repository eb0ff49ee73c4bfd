import type { Difficulty } from "../family.ts";
import type { World } from "./world.ts";

/** Python that reads the old files as somebody at `skill` would: what the levels above add is not known to them. */
export function prelude({ service, difficulty }: World, skill: Difficulty, folder: string): string {
  const has = (level: number) => (difficulty >= level && skill >= level ? "True" : "False");
  return `
import json, os
LAYERS, PROFILES, REMARKS, SWITCH = ${has(2)}, ${has(3)}, ${has(4)}, ${has(5)}
OLD = "/app/old/"
os.makedirs("${folder}", exist_ok=True)
tick = chr(96)
words = {"seconds": "duration", "KiB": "size", "yes": "boolean", "a": "number", "as": "text", "entries": "list"}
table = []
for line in open("/app/docs/MIGRATION.md").read().splitlines():
    cells = [cell.strip() for cell in line.split("|")]
    if len(cells) == 5 and cells[1].startswith(tick):
        names = cells[1].split(tick)
        alias = names[3] if len(names) > 3 else None
        kind = words[cells[3].replace(",", "").replace(tick, "").split()[0]]
        table.append((names[1], cells[2].strip(tick), kind, alias))
assigned = []
def read_ini(path):
    section = ""
    for line in open(OLD + path).read().splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if line.startswith("["):
            section = line[1:-1]
            continue
        name, _, value = line.partition("=")
        adds = name.endswith("+")
        name, value = name.rstrip("+").strip(), value.strip()
        if not section:
            if name == "include" and PROFILES:
                read_ini(value)
            continue
        if REMARKS:
            value = value.split(" ;")[0].strip()
        assigned.append(("old/" + path, section + "." + name, value, adds and SWITCH))
read_ini("${service}.ini")
if LAYERS:
    for name in sorted(os.listdir(OLD + "conf.d")):
        if name.endswith(".ini"):
            read_ini("conf.d/" + name)
    if PROFILES:
        read_ini("profiles/" + open(OLD + "PROFILE").read().strip() + ".ini")
    for line in open(OLD + "environment").read().splitlines():
        if line.startswith("#"):
            continue
        name, _, value = line.partition("=")
        adds = name.endswith("+")
        _, section, key = name.rstrip("+").lower().split("__", 2)
        assigned.append(("old/environment", section + "." + key, value, adds and SWITCH))
def entries(text):
    return [entry.strip() for entry in text.split(",") if entry.strip()]
def convert(kind, text):
    if kind == "boolean":
        return text in ("yes", "on", "true", "1")
    if kind == "number":
        return int(text)
    if kind == "duration":
        return (int(text[:-1]) * 60 if text.endswith("m") else int(text)) * 1000
    if kind == "size":
        return (int(text[:-1]) * 1024 if text.endswith("M") else int(text)) * 1024
    return entries(text) if kind == "list" else text
def counting(old, alias):
    own = [one for one in assigned if one[1] == old]
    older = [one for one in assigned if alias is not None and one[1] == alias]
    return (own or older) if REMARKS else own
values, origins, secrets, carried = {}, {}, {}, set()
switch = [one for one in counting("tls.enabled", dict((r[0], r[3]) for r in table).get("tls.enabled"))]
off = SWITCH and bool(switch) and not convert("boolean", switch[-1][2])
for old, to, kind, alias in table:
    found = counting(old, alias)
    if not found or (off and old.startswith("tls.") and old != "tls.enabled"):
        continue
    if kind == "list":
        value = []
        for _, _, text, adds in found:
            value = (value if adds else []) + entries(text)
        values[to] = value
    else:
        values[to] = convert(kind, found[-1][2])
    origins[to] = found[-1][0]
    carried |= {old, alias}
    if kind == "text" and found[-1][2].startswith("secret:"):
        secrets.setdefault(found[-1][2][7:], []).append(to)
seen = sorted({one[1] for one in assigned})
dropped = [key for key in seen if key not in carried]
`;
}
