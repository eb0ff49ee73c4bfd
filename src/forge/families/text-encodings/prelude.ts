import type { Difficulty } from "../family.ts";
import { lookAlikes } from "./facts.ts";
import { codeWidth } from "./line.ts";
import type { World } from "./world.ts";

const escaped = (text: string) =>
  [...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");

/** Python that reads the archive with the kinds of work of `skill`, into the names that the questions use. */
export function preludeFor({ root, columns }: World, skill: Difficulty, folder: string): string {
  const { name, place, amount } = columns;
  const ends = [0, codeWidth, codeWidth + name, codeWidth + name + place, codeWidth + name + place + amount];
  const cuts = ends.slice(0, 4).map((from, index) => `text[${from}:${ends[index + 1]}].strip()`);
  const marked =
    skill >= 2
      ? String.raw`
    for start, told in ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16le"), (b"\xfe\xff", "utf-16be")):
        if data.startswith(start):
            encoding, data, mark = told, data[len(start) :], "yes"`
      : "";
  const headed =
    skill >= 3
      ? String.raw`
    head = re.match(rb"%charset ([^\r\n]+)(\r\n|\n|\r)", data)
    if mark == "no" and head:
        encoding, data, ends = head[1].decode(), data[head.end() :], [head[2].decode()]`
      : "";
  const undoubled =
    skill >= 4
      ? `
    if gateway and not text.isascii():
        try:
            text = text.encode("latin-1").decode("utf-8")
            done.append("double-encoded")
        except UnicodeError:
            pass`
      : "";
  const normal =
    skill >= 3
      ? String.raw`
    bare = re.sub("[\u200b\u2060\ufeff]", "", text)
    composed = unicodedata.normalize("NFC", bare)
    done += ["zero-width"] * (bare != text) + ["composed"] * (composed != bare)
    text = composed`
      : "";
  const unmasked =
    skill >= 5
      ? String.raw`
    def word(match):
        mixed = re.search("[A-Za-z\u00c0-\u024f]", match[0]) and re.search("[\u0400-\u04ff]", match[0])
        return match[0].translate(TWINS) if mixed else match[0]
    plain = re.sub(r"[^\W\d_]+", word, text)
    done += ["look-alike"] * (plain != text)
    text = plain`
      : "";
  return `
import csv, json, re, unicodedata
from pathlib import Path
ROOT, OUT = Path("/app/${root}"), Path("${folder}")
OUT.mkdir(parents=True, exist_ok=True)
TWINS = dict(zip(map(ord, "${escaped(lookAlikes.map(([, cyrillic]) => cyrillic).join(""))}"), "${lookAlikes.map(([latin]) => latin).join("")}"))
NAMES = {"windows-1252": "cp1252"}

def clean(text, gateway):
    done = []${undoubled}${normal}${unmasked}
    return text, done

def cut(text):
    return [${cuts.join(", ")}]

with open(ROOT / "register.csv", encoding="utf-8", newline="") as source:
    register = {row["file"]: row for row in csv.DictReader(source)}
files, entries, undecodable = {}, [], []
for name in sorted(register):
    data, mark, ends = (ROOT / "files" / name).read_bytes(), "no", []
    size, encoding = len(data), register[name]["encoding"]${marked}${headed}
    codec = NAMES.get(encoding, encoding)
    if encoding.startswith("utf-16"):
        data, codec = data.decode(codec).encode("utf-8"), "utf-8"
    pieces = re.split(rb"(\\r\\n|\\n|\\r)", data)
    ends += [end.decode() for end in pieces[1::2]]
    lines = []
    for number, raw in enumerate(pieces[0:-1:2], 1):
        try:
            text = raw.decode(codec)
        except UnicodeDecodeError:${
          skill >= 4
            ? `
            undecodable.append((name, number, raw.hex()))
            continue`
            : `
            text = raw.decode(codec, "replace")`
        }
        text, done = clean(text, register[name]["via"] == "gateway")
        lines.append(text)
        entries.append((name, number, text, done))
    label = {"\\r\\n": "crlf", "\\n": "lf", "\\r": "cr"}[ends[0]] if len(set(ends)) == 1 else "mixed"
    files[name] = {"encoding": encoding, "mark": mark, "ends": label, "lines": lines, "size": size, "text": "".join(line + "\\n" for line in lines)}
firsts, repeats = {}, []
for name, number, text, _ in entries:
    if text in firsts:
        repeats.append((name, number, *firsts[text], text))
    else:
        firsts[text] = (name, number)
`;
}
