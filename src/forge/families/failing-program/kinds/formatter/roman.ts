import { Complaint, type MakePart, times } from "../../part.ts";

export const roman: MakePart = (random) => {
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
