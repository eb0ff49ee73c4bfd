import { type MakePart, remembered, times } from "../../part.ts";

export const tally: MakePart = (random) => {
  const [note, report] = random.pick([
    ["seen", "report"],
    ["log", "digest"],
    ["mark", "overview"],
  ] as const);
  const least = random.integer(2, 3);
  return {
    name: "tally",
    shape: "share-report",
    verbs: [note, report],
    specification: `\`${note} WORD\` counts a word (upper and lower case are the same word) and prints nothing. \`${report}\` prints \`WORD COUNT SHARE%\` in lower case for each word seen at least ${least} times, by count, largest first, then by word; SHARE is the whole percentage of all words seen in the session, rounded down, then \`total N\`.`,
    python: `§signature§
    counts = state.setdefault("words", {})
§fold§
    counts[word] = counts.get(word, 0) + 1
§total§
    return []


def ${report}(state, words):
    counts = state.get("words", {})
    total = state.get("seen", 0)
    rows = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
§rows§
    return lines + [f"total {total}"]`,
    right: {
      signature: `def ${note}(state, words):`,
      fold: "    word = words[0].lower()",
      total: `    state["seen"] = state.get("seen", 0) + 1`,
      rows: `    lines = [f"{word} {count} {count * 100 // total}%" for word, count in rows if count >= ${least}]`,
    },
    bugs: [
      {
        level: 1,
        kind: "wrong comparison",
        slot: "rows",
        wrong: `    lines = [f"{word} {count} {count * 100 // total}%" for word, count in rows if count > ${least}]`,
      },
      {
        level: 1,
        kind: "wrong value",
        slot: "rows",
        wrong: `    lines = [f"{word} {count} {count * 100 // len(rows)}%" for word, count in rows if count >= ${least}]`,
      },
      {
        level: 2,
        kind: "mutable default",
        slot: "total",
        wrong: `    CALLS[None] = CALLS.get(None, 0) + 1\n    state["seen"] = CALLS[None]`,
      },
      { level: 3, kind: "missing case", slot: "fold", wrong: "    word = words[0]" },
    ],
    answer(state, verb, [text], twisted) {
      const words: string[] = remembered(state, "words", () => []);
      if (verb === note) {
        words.push(twisted ? text! : text!.toLowerCase());
        return [];
      }
      const counts = new Map<string, number>();
      for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
      const rows = [...counts]
        .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
        .filter(([, count]) => count >= least);
      return [
        ...rows.map(([word, count]) => `${word} ${count} ${Math.floor((count * 100) / words.length)}%`),
        `total ${words.length}`,
      ];
    },
    sessions: (random, edge) =>
      times(2, () => {
        const words = random.sample(["get", "put", "list", "copy", "move", "stat"], 4);
        const lines = random.shuffle(words.flatMap((word, i) => times(least + i - 1, () => `${note} ${word}`)));
        if (edge)
          lines.push(
            `${note} ${words[0]!.toUpperCase()}`,
            `${note} ${words[0]!.toUpperCase()}`,
            `${note} ${words[1]!.toUpperCase()}`,
            `${note} ${words[0]}`,
          );
        return [...lines, report];
      }),
  };
};
