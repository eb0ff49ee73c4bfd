import { type MakePart, times } from "../../part.ts";
import { vocabulary } from "./words.ts";

export const title: MakePart = (random) => {
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
