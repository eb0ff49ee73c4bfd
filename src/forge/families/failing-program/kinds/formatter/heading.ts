import { Complaint, type MakePart, times } from "../../part.ts";
import { vocabulary } from "./words.ts";

export const heading: MakePart = (random) => {
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
