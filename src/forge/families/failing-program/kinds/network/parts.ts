import { type MakePart, remembered, times } from "../../part.ts";
import { ring } from "./words.ts";

export const parts: MakePart = (random) => {
  const [join, groups] = random.pick([
    ["join", "groups"],
    ["pair", "clusters"],
    ["tie", "islands"],
  ] as const);
  const largest = random.boolean();
  return {
    name: "groups",
    shape: "connected-groups",
    verbs: [join, groups],
    specification: `\`${join} A B\` says that two things belong together and prints nothing; \`${join} A\` alone only names A. \`${groups}\` prints each group of things that belong together, directly or through others, as its members in alphabetical order joined by \`+\`, one line a group: ${largest ? "the largest group first, groups of one size by their first member" : "by their first member"}. Without any thing it prints \`nothing\`.`,
    python: `def ${join}(state, words):
§store§
    merged = set(words)
§merge§
    rest.append(merged)
    state["groups"] = rest
    return []


def ${groups}(state, words):
    lines = [sorted(group) for group in state.get("groups", [])]
§sort§
§empty§
    return ["+".join(line) for line in lines]`,
    right: {
      store: `    groups = state.get("groups", [])`,
      merge:
        "    rest = []\n    for group in groups:\n        if group & set(words):\n            merged |= group\n        else:\n            rest.append(group)",
      sort: largest ? "    lines.sort(key=lambda line: (-len(line), line[0]))" : "    lines.sort()",
      empty: `    if not lines:\n        return ["nothing"]`,
    },
    bugs: [
      {
        level: 1,
        kind: "missing case",
        slot: "merge",
        wrong:
          "    rest = list(groups)\n    for group in groups:\n        if words[0] in group:\n            merged |= group\n            rest.remove(group)",
      },
      {
        level: 1,
        kind: "wrong order",
        slot: "sort",
        wrong: largest ? "    lines.sort(key=lambda line: (len(line), line[0]))" : "    lines.sort(reverse=True)",
      },
      {
        level: 2,
        kind: "state outlives the session",
        slot: "store",
        wrong: `    groups = state.get("groups", CALLS.get("groups", []))\n    CALLS["groups"] = groups + [set(words)]`,
      },
      { level: 3, kind: "missing case", slot: "empty", wrong: "    lines = [line for line in lines if line]" },
    ],
    answer(state, verb, words, twisted) {
      const sets: Set<string>[] = remembered(state, "groups", () => []);
      if (verb === join) {
        const touched = sets.filter((group) => words.some((word) => group.has(word)));
        state.groups = [
          ...sets.filter((group) => !touched.includes(group)),
          new Set([...words, ...touched.flatMap((group) => [...group])]),
        ];
        return [];
      }
      const lines = sets.map((group) => [...group].sort());
      lines.sort((a, b) => (largest ? b.length - a.length : 0) || (a[0]! < b[0]! ? -1 : 1));
      return lines.length === 0 && !twisted ? ["nothing"] : lines.map((line) => line.join("+"));
    },
    sessions: (random, edge) =>
      times(2, () => {
        const [a, b, c, d, e, f] = ring(random, 6) as [string, string, string, string, string, string];
        return [
          ...(edge ? [groups] : []),
          `${join} ${a} ${b}`,
          `${join} ${c} ${d}`,
          groups,
          `${join} ${e}`,
          `${join} ${b} ${d}`,
          groups,
          `${join} ${f} ${e}`,
          `${join} moon`,
          groups,
        ];
      }),
  };
};
