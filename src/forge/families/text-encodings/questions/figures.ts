import { compareJson, compareLines, type Question, writeJson } from "../../composition/index.ts";
import { byText, fieldsOf, letterKey, namesOf, textOf } from "../facts.ts";
import { type Setting, sourcesOf } from "./setting.ts";

/** Letters by script. */
export function scripts(setting: Setting): Question {
  const { facts, folder, random } = setting;
  const path = `${folder}/${random.pick(["scripts", "alphabets"])}.json`;
  const whole = facts.entries.map(({ text }) => text).join("");
  const count = (pattern: RegExp) => whole.match(pattern)?.length ?? 0;
  const solve = (latin: string) => `
whole = [ord(letter) for _, _, text, _ in entries for letter in text if letter.isalpha()]
${writeJson(path, `{"latin": sum(code < ${latin} for code in whole), "greek": sum(0x370 <= code < 0x400 for code in whole), "cyrillic": sum(0x400 <= code < 0x500 for code in whole)}`)}`;
  return {
    key: "scripts",
    shape: "script-counts",
    artefact: path,
    format: "JSON object",
    statement: "The letters of the clean texts are counted by script",
    demand: `\`${path}\`: an object with \`latin\`, \`greek\` and \`cyrillic\`, the number of letters (general category L, no digits or signs) in all clean texts up to U+024F, from U+0370 to U+03FF and from U+0400 to U+04FF.`,
    derivation: "letters of the clean texts by code point",
    sources: sourcesOf(setting),
    expected: {
      latin: count(/(?=\p{L})[A-\u024f]/gu),
      greek: count(/(?=\p{L})[\u0370-\u03ff]/gu),
      cyrillic: count(/(?=\p{L})[\u0400-\u04ff]/gu),
    },
    solve: solve("0x250"),
    mistake: { name: "only ASCII taken for Latin", solve: solve("0x80") },
    check: compareJson(path),
  };
}

/** Amounts by place, each record once. */
export function totals(setting: Setting): Question {
  const { facts, folder, random } = setting;
  const path = `${folder}/${random.pick(["totals", "amounts", "by-place"])}.json`;
  const sums: Record<string, number> = {};
  for (const text of new Set(facts.entries.map((entry) => entry.text))) {
    const [, , place, amount] = fieldsOf(facts, text);
    sums[place] = (sums[place] ?? 0) + Number(amount);
  }
  const solve = (lines: string) => `
totals = {}
for text in ${lines}:
    _, _, place, amount = cut(text)
    totals[place] = totals.get(place, 0) + int(amount)
${writeJson(path, '[{"place": place, "total": totals[place]} for place in sorted(totals)]')}`;
  return {
    key: "totals",
    shape: "totals-without-repeats",
    artefact: path,
    format: "JSON array of objects",
    statement: "The amounts are summed by place, each different line once",
    demand: `\`${path}\`: an array of objects with \`place\` and \`total\`, sorted by the place's code points: the sum of the amounts of each place over the clean lines, a line that occurs several times counted once.`,
    derivation: "columns of the different clean lines",
    ordering: "by place",
    sources: sourcesOf(setting),
    expected: Object.keys(sums)
      .sort(byText)
      .map((place) => ({ place, total: sums[place] })),
    solve: solve("firsts"),
    mistake: { name: "repeated lines counted again", solve: solve("(text for _, _, text, _ in entries)") },
    check: compareJson(path),
  };
}

/** Names in an order that ignores accents. */
export function nameIndex(setting: Setting): Question {
  const { facts, folder, random } = setting;
  const path = `${folder}/${random.pick(["names", "people", "index"])}.txt`;
  const solve = (key: string) => `
plain = lambda name: "".join(c for c in unicodedata.normalize("NFD", name) if unicodedata.category(c) != "Mn").lower()
found = sorted({cut(text)[1] for _, _, text, _ in entries}${key})
Path("${path}").write_text("".join(name + "\\n" for name in found), encoding="utf-8")`;
  return {
    key: "name_index",
    shape: "collated-index",
    artefact: path,
    format: "lines of text",
    statement: "The different names are listed in an order that ignores accents and case",
    demand: `\`${path}\`, UTF-8: the different names of the clean lines, one a line, sorted by their form without accents (taken apart by NFD, characters of category Mn removed, then lower case) by code point; where that is equal, by the name itself.`,
    derivation: "names of the clean lines and their sort keys",
    ordering: "by the form without accents, then the name",
    sources: sourcesOf(setting),
    expected: namesOf(facts).sort((a, b) => byText(letterKey(a), letterKey(b)) || byText(a, b)),
    solve: solve(", key=lambda name: (plain(name), name)"),
    mistake: { name: "sorted by code points", solve: solve("") },
    check: compareLines(path),
  };
}

/** Bytes before and after. */
export function sizes(setting: Setting): Question {
  const { facts, folder, random } = setting;
  const path = `${folder}/${random.pick(["sizes", "space", "bytes"])}.json`;
  const solve = (after: string) =>
    writeJson(path, `{name: {"before": f["size"], "after": ${after}} for name, f in files.items()}`);
  return {
    key: "sizes",
    shape: "size-change",
    artefact: path,
    format: "JSON object of objects",
    statement: "For each file the bytes as it came and as clean text are given",
    demand: `\`${path}\`: for each file name an object with \`before\`, the bytes of the file as it came, and \`after\`, the bytes of its clean text in UTF-8.`,
    derivation: "lengths of the files and of the clean texts",
    sources: sourcesOf(setting),
    expected: Object.fromEntries(
      facts.world.files.map((file) => [
        file.name,
        { before: facts.bytes.get(file)?.length, after: Buffer.byteLength(textOf(facts, file)) },
      ]),
    ),
    solve: solve('len(f["text"].encode("utf-8"))'),
    mistake: { name: "characters in place of bytes", solve: solve('len(f["text"])') },
    check: compareJson(path),
  };
}
