import { Complaint, type MakePart, remembered, times } from "../part.ts";

const vocabulary = [
  "amber",
  "basket",
  "cloud",
  "drift",
  "ember",
  "fjord",
  "glass",
  "harbour",
  "inlet",
  "juniper",
  "kelp",
  "lantern",
  "meadow",
  "north",
  "orchard",
  "pebble",
  "quarry",
  "river",
  "salt",
  "timber",
];

const wrap: MakePart = (random) => {
  const verb = random.pick(["wrap", "fill", "flow"]);
  const indent = random.integer(1, 4);
  return {
    name: "wrapping",
    shape: "wrapped-text",
    verbs: [verb],
    specification: `\`${verb} WIDTH WORD…\` prints the words in lines of at most WIDTH characters, as many words to a line as fit, one blank between. Every line but the first begins with ${indent} blanks, which count. A word that is too long for a line stands alone on its line, uncut.`,
    python: `def ${verb}(state, words):
    width, lines, line = int(words[0]), [], ""
    for word in words[1:]:
§fits§
§join§
        else:
§flush§
§start§
    return lines + [line]`,
    right: {
      fits: `        if line.strip() and len(line) + 1 + len(word) <= width:`,
      join: `            line += " " + word`,
      flush: "            if line:\n                lines.append(line)",
      start: `            line = (" " * ${indent} if lines else "") + word`,
    },
    bugs: [
      { level: 1, kind: "missing term", slot: "start", wrong: `            line = word` },
      { level: 1, kind: "wrong value", slot: "join", wrong: `            line += "  " + word` },
      {
        level: 3,
        kind: "off by one",
        slot: "fits",
        wrong: `        if line.strip() and len(line) + 1 + len(word) < width:`,
      },
    ],
    answer(_state, _verb, [text, ...words], twisted) {
      const width = Number(text);
      const lines: string[] = [];
      for (const word of words) {
        const last = lines.at(-1);
        if (last !== undefined && last.length + 1 + word.length <= (twisted ? width - 1 : width))
          lines[lines.length - 1] = `${last} ${word}`;
        else lines.push((lines.length > 0 ? " ".repeat(indent) : "") + word);
      }
      return lines;
    },
    sessions: (random, edge) =>
      times(2, () => {
        const loose = () => {
          for (;;) {
            const [words, width] = [times(12, () => random.pick(vocabulary)), random.integer(22, 36)];
            const exact = (limit: number) => JSON.stringify(fold(words, limit, indent));
            if ((exact(width) === exact(width - 1)) !== edge) return `${verb} ${width} ${words.join(" ")}`;
          }
        };
        return [loose(), loose(), `${verb} 12 extraordinarily short ${random.pick(vocabulary)}`];
      }),
  };
};

function fold(words: readonly string[], width: number, indent: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push((lines.length > 0 ? " ".repeat(indent) : "") + word);
  }
  return lines;
}

const heading: MakePart = (random) => {
  const [verb, reset] = random.pick([
    ["heading", "appendix"],
    ["section", "annex"],
    ["chapter", "supplement"],
  ] as const);
  const mark = random.pick([".", "-", "/"]);
  return {
    name: "headings",
    shape: "hierarchical-numbering",
    verbs: [verb, reset],
    specification: `\`${verb} LEVEL WORD…\` numbers headings: it prints the number of the heading, parts joined by \`${mark}\`, a blank and the words. A heading counts up its own level and begins the deeper ones anew; a level that was skipped counts as 1. \`${reset}\` starts the appendices: from then on level 1 is written A, B, C …, beginning with A. LEVEL below 1 is an error: \`bad level\`.`,
    python: `def ${verb}(state, words):
    level = int(words[0])
    if level < 1:
        raise Problem("bad level")
§store§
§cut§
    while len(counts) < level - 1:
        counts.append(1)
    if len(counts) < level:
        counts.append(0)
    counts[level - 1] += 1
    parts = [str(count) for count in counts]
§letter§
§join§


def ${reset}(state, words):
    state["appendix"] = True
    counts = state.setdefault("counts", [])
§reset§
    return []`,
    right: {
      store: `    counts = state.setdefault("counts", [])`,
      cut: "    del counts[level:]",
      letter: `    if state.get("appendix"):\n        parts[0] = chr(64 + counts[0])`,
      join: `    return ["${mark}".join(parts) + " " + " ".join(words[1:])]`,
      reset: "    counts.clear()",
    },
    bugs: [
      { level: 1, kind: "missing step", slot: "cut", wrong: "    counts[level + 8 :] = []" },
      {
        level: 1,
        kind: "wrong value",
        slot: "join",
        wrong: `    return ["${mark}".join(parts) + "${mark} " + " ".join(words[1:])]`,
      },
      {
        level: 2,
        kind: "state outlives the session",
        slot: "store",
        wrong: `    counts = state["counts"] = state.get("counts", CALLS.setdefault("counts", []))`,
      },
      { level: 3, kind: "missing step", slot: "reset", wrong: "    del counts[1:]" },
      {
        level: 3,
        kind: "off by one",
        slot: "letter",
        wrong: `    if state.get("appendix"):\n        parts[0] = chr(65 + counts[0])`,
      },
    ],
    answer(state, verbGiven, [text, ...words], twisted) {
      state.counts ??= [];
      if (verbGiven === reset) {
        state.appendix = true;
        state.counts = twisted ? state.counts.slice(0, 1) : [];
        return [];
      }
      const level = Number(text);
      if (level < 1) throw new Complaint("bad level");
      const counts: number[] = state.counts.slice(0, level);
      while (counts.length < level - 1) counts.push(1);
      if (counts.length < level) counts.push(0);
      counts[level - 1]! += 1;
      state.counts = counts;
      const parts = counts.map(String);
      if (state.appendix) parts[0] = String.fromCharCode(64 + counts[0]!);
      return [`${parts.join(mark)} ${words.join(" ")}`];
    },
    sessions: (random, edge) =>
      times(2, () => [
        ...[1, 2, 2, 3, 1, 2, random.pick([1, 2, 3]), 3].map(
          (level) => `${verb} ${level} ${random.pick(vocabulary)} ${random.pick(vocabulary)}`,
        ),
        ...(edge
          ? [reset, `${verb} 1 ${random.pick(vocabulary)}`, `${verb} 2 ${random.pick(vocabulary)}`, `${verb} 1 last`]
          : []),
        `${verb} 0 wrong`,
      ]),
  };
};

const title: MakePart = (random) => {
  const verb = random.pick(["title", "caption", "headline"]);
  const small = random.sample(["and", "of", "the", "in", "for", "to"], 4);
  return {
    name: "titles",
    shape: "case-rules",
    verbs: [verb],
    specification: `\`${verb} WORD…\` prints the words with the first letter in upper case and the rest in lower case; ${small.map((word) => `\`${word}\``).join(", ")} stay in lower case unless they are the first or the last word; a word of two letters or more that is all upper case in the input stays as it is. Of a word with hyphens each piece is treated like a word in the middle.`,
    python: `SMALL = {${small.map((word) => `"${word}"`).join(", ")}}


def piece(word, inner):
§upper§
        return word
    if inner and word.lower() in SMALL:
        return word.lower()
§capital§


def ${verb}(state, words):
    done = []
    for position, word in enumerate(words):
§inner§
§hyphen§
    return [" ".join(done)]`,
    right: {
      upper: "    if len(word) > 1 and word.isupper():",
      capital: "    return word[:1].upper() + word[1:].lower()",
      inner: "        inner = 0 < position < len(words) - 1",
      hyphen: `        if "-" in word:\n            done.append("-".join(piece(part, True) for part in word.split("-")))\n        else:\n            done.append(piece(word, inner))`,
    },
    bugs: [
      { level: 1, kind: "missing case", slot: "capital", wrong: "    return word[:1].upper() + word[1:]" },
      { level: 1, kind: "off by one", slot: "inner", wrong: "        inner = 0 < position < len(words)" },
      { level: 3, kind: "missing case", slot: "hyphen", wrong: "        done.append(piece(word, inner))" },
      { level: 3, kind: "missing case", slot: "upper", wrong: `    if word == "":` },
    ],
    answer(_state, _verb, words, twisted) {
      const piece = (word: string, inner: boolean) => {
        if (word.length > 1 && word === word.toUpperCase() && word !== word.toLowerCase()) return word;
        if (inner && small.includes(word.toLowerCase())) return word.toLowerCase();
        return word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase();
      };
      const one = (word: string, i: number) => {
        if (word.includes("-") && !twisted)
          return word
            .split("-")
            .map((part) => piece(part, true))
            .join("-");
        return piece(word, i > 0 && i < words.length - 1);
      };
      return [words.map(one).join(" ")];
    },
    sessions: (random, edge) =>
      times(2, () => [
        `${verb} ${small[0]} ${random.pick(vocabulary)} ${small[1]} ${random.pick(vocabulary)} ${small[2]}`,
        `${verb} gREEN ${random.pick(vocabulary)} ${small[3]} bLUE`,
        ...(edge
          ? [
              `${verb} salt-${small[0]}-pepper ${random.pick(vocabulary)}`,
              `${verb} USB ${small[1]} ${random.pick(vocabulary)}-case NATO`,
              `${verb} ${random.pick(vocabulary)}-${random.pick(vocabulary)} A`,
            ]
          : []),
      ]),
  };
};

const table: MakePart = (random) => {
  const [row, show] = random.pick([
    ["row", "table"],
    ["cells", "grid"],
    ["record", "sheet"],
  ] as const);
  const [bar, fill] = [random.pick(["|", ":", "!"]), random.pick([".", "_", "~"])];
  return {
    name: "tables",
    shape: "aligned-table",
    verbs: [row, show],
    specification: `\`${row} CELL,CELL,…\` adds a row and prints nothing; cells hold no blanks. \`${show}\` prints all rows: each column as wide as its widest cell, filled with \`${fill}\`, cells joined by \`${bar}\`. Cells that are whole numbers (a leading \`-\` is allowed) are set to the right, others to the left. Rows with fewer cells get empty ones at their end, and those are filled as well.`,
    python: `def ${row}(state, words):
§store§
    return []


def ${show}(state, words):
    rows = state.get("rows", [])
§columns§
§widths§
    lines = []
    for cells in rows:
§pad§
        lines.append("${bar}".join(cell.rjust(w, "${fill}") if number(cell) else cell.ljust(w, "${fill}") for cell, w in zip(cells, widths)))
    return lines


def number(cell):
§number§`,
    right: {
      store: `    state.setdefault("rows", []).append(words[0].split(","))`,
      columns: "    columns = max(map(len, rows), default=0)",
      widths: "    widths = [max(len(cells[i]) for cells in rows if i < len(cells)) for i in range(columns)]",
      pad: `        cells = cells + [""] * (columns - len(cells))`,
      number: `    return cell.removeprefix("-").isdigit()`,
    },
    bugs: [
      {
        level: 1,
        kind: "wrong value",
        slot: "widths",
        wrong: "    widths = [len(rows[0][i]) if i < len(rows[0]) else 1 for i in range(columns)]",
      },
      { level: 1, kind: "wrong condition", slot: "number", wrong: "    return not cell.isdigit()" },
      {
        level: 2,
        kind: "state outlives the session",
        slot: "store",
        wrong: `    state["rows"] = CALLS.setdefault("rows", [])\n    state["rows"].append(words[0].split(","))`,
      },
      { level: 3, kind: "missing case", slot: "number", wrong: "    return cell.isdigit()" },
      { level: 3, kind: "missing case", slot: "pad", wrong: "        cells = list(cells)" },
    ],
    answer(state, verb, [text], twisted) {
      const rows: string[][] = remembered(state, "rows", () => []);
      if (verb === row) {
        rows.push(text!.split(","));
        return [];
      }
      const columns = Math.max(0, ...rows.map((cells) => cells.length));
      const widths = times(columns, (i) => Math.max(...rows.map((cells) => (cells[i] ?? "").length)));
      const numeric = twisted ? /^\d+$/ : /^-?\d+$/;
      return rows.map((cells) =>
        widths
          .map((width, i) => {
            const cell = cells[i] ?? "";
            return numeric.test(cell) ? cell.padStart(width, fill) : cell.padEnd(width, fill);
          })
          .join(bar),
      );
    },
    sessions: (random, edge) =>
      times(2, () => [
        ...times(
          3,
          (i) =>
            `${row} ${random.pick(vocabulary)}${"x".repeat(i)},${random.integer(1, 10 ** (i + 1))},${random.pick(vocabulary)}`,
        ),
        show,
        ...(edge
          ? [
              `${row} ${random.pick(vocabulary)},-${random.integer(1, 9)},late`,
              `${row} short,-${random.integer(100, 900)}`,
              show,
            ]
          : []),
      ]),
  };
};

const roman: MakePart = (random) => {
  const [to, from] = random.pick([
    ["roman", "arabic"],
    ["toroman", "fromroman"],
    ["numeral", "value"],
  ] as const);
  const lower = random.boolean();
  const limit = random.pick([399, 899, 3999]);
  const letters: readonly (readonly [number, string])[] = [
    [1000, "M"],
    [900, "CM"],
    [500, "D"],
    [400, "CD"],
    [100, "C"],
    [90, "XC"],
    [50, "L"],
    [40, "XL"],
    [10, "X"],
    [9, "IX"],
    [5, "V"],
    [4, "IV"],
    [1, "I"],
  ];
  const write = (value: number) => {
    let [rest, text] = [value, ""];
    for (const [worth, sign] of letters) while (rest >= worth) [rest, text] = [rest - worth, text + sign];
    return lower ? text.toLowerCase() : text;
  };
  const pairs = letters.map(([worth, sign]) => `(${worth}, "${lower ? sign.toLowerCase() : sign}")`);
  return {
    name: "numerals",
    shape: "numeral-conversion",
    verbs: [to, from],
    specification: `\`${to} N\` prints N as a Roman numeral in ${lower ? "lower" : "upper"} case (4, 9, 40, 90, 400 and 900 are written with the smaller sign before the larger). N below 1 or above ${limit} is an error: \`out of range\`. \`${from} TEXT\` prints the number that a numeral means; text that isn't exactly what \`${to}\` would print for a number in range is an error: \`not a numeral\`.`,
    python: `SIGNS = [${pairs.join(", ")}]


def write(value):
    text = ""
§signs§
        while value >= worth:
            text += sign
            value -= worth
    return text


def ${to}(state, words):
    value = int(words[0])
§range§
        raise Problem("out of range")
    return [write(value)]


def ${from}(state, words):
§search§
            return [str(value)]
    raise Problem("not a numeral")`,
    right: {
      signs: "    for worth, sign in SIGNS:",
      range: `    if not 1 <= value <= ${limit}:`,
      search: `    for value in range(1, ${limit + 1}):\n        if write(value) == words[0]:`,
    },
    bugs: [
      { level: 1, kind: "missing case", slot: "signs", wrong: "    for worth, sign in SIGNS[::2]:" },
      {
        level: 1,
        kind: "wrong constant",
        slot: "search",
        wrong: `    for value in range(1, 90):\n        if write(value) == words[0]:`,
      },
      { level: 3, kind: "off by one", slot: "range", wrong: `    if not 1 <= value < ${limit}:` },
      {
        level: 3,
        kind: "missing case",
        slot: "search",
        wrong: `    for value in range(1, ${limit + 1}):\n        if write(value) == words[0].${lower ? "lower" : "upper"}():`,
      },
    ],
    answer(_state, verb, [text], twisted) {
      if (verb === to) {
        const value = Number(text);
        if (value < 1 || value > (twisted ? limit - 1 : limit)) throw new Complaint("out of range");
        return [write(value)];
      }
      for (let value = 1; value <= limit; value++) if (write(value) === text) return [String(value)];
      throw new Complaint("not a numeral");
    },
    sessions: (random, edge) =>
      times(2, () => [
        `${to} ${random.integer(1, 38) * 10 + random.pick([4, 9])}`,
        `${to} ${random.integer(90, 398)}`,
        `${to} ${random.pick([40, 90])}`,
        `${from} ${write(random.integer(120, 398))}`,
        `${to} 0`,
        `${from} ${write(1)}${write(10)}${write(10)}`,
        ...(edge
          ? [
              `${to} ${limit}`,
              `${to} ${limit + 1}`,
              `${from} ${lower ? write(16).toUpperCase() : write(16).toLowerCase()}`,
              `${from} ${write(limit)}`,
            ]
          : []),
      ]),
  };
};

export const formatter = {
  id: "formatter",
  title: "a text formatter for a printing house",
  names: ["formatter", "typesetter", "galley", "composer"],
  parts: [wrap, heading, title, table, roman],
};
