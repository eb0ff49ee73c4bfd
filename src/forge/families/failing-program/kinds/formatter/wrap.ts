import { type MakePart, times } from "../../part.ts";
import { vocabulary } from "./words.ts";

function fold(words: readonly string[], width: number, indent: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push((lines.length > 0 ? " ".repeat(indent) : "") + word);
  }
  return lines;
}

export const wrap: MakePart = (random) => {
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
