import { type MakePart, remembered, times } from "../../part.ts";

export const ranking: MakePart = (random) => {
  const [add, top] = random.pick([
    ["sale", "best"],
    ["score", "leaders"],
    ["vote", "top"],
  ] as const);
  return {
    name: "ranking",
    shape: "ranked-listing",
    verbs: [add, top],
    specification: `\`${add} NAME POINTS\` adds points and prints nothing. \`${top} K\` prints the first K names as \`PLACE. NAME SUM\`: largest sum first, equal sums by name; fewer lines when there are fewer names. It always reflects everything said before it.`,
    python: `def ${add}(state, words):
    sums = state.setdefault("sums", {})
    sums[words[0]] = sums.get(words[0], 0) + int(words[1])
§after§
    return []


def ${top}(state, words):
    if "ranked" not in state:
        sums = state.get("sums", {})
§sort§
    return [f"{place}. {name} {total}" for place, (name, total) in enumerate(state["ranked"]§cut§, 1)]`,
    right: {
      after: `    state.pop("ranked", None)`,
      sort: `        state["ranked"] = sorted(sums.items(), key=lambda item: (-item[1], item[0]))`,
      cut: "[: int(words[0])]",
    },
    bugs: [
      {
        level: 1,
        kind: "wrong order",
        slot: "sort",
        wrong: `        state["ranked"] = sorted(sums.items(), key=lambda item: (item[1], item[0]))`,
      },
      { level: 1, kind: "off by one", slot: "cut", wrong: "[: int(words[0]) - 1]" },
      { level: 2, kind: "stale cache", slot: "after", wrong: `    state.setdefault("changes", []).append(words[0])` },
      {
        level: 3,
        kind: "wrong tie",
        slot: "sort",
        wrong: `        state["ranked"] = sorted(sums.items(), key=lambda item: -item[1])`,
      },
    ],
    answer(state, verb, [name, points], twisted) {
      const sums: Map<string, number> = remembered(state, "sums", () => new Map());
      if (verb === add) {
        sums.set(name!, (sums.get(name!) ?? 0) + Number(points));
        return [];
      }
      const order = [...sums].sort((a, b) => b[1] - a[1] || (twisted ? 0 : a[0] < b[0] ? -1 : 1));
      return order.slice(0, Number(name)).map(([who, total], i) => `${i + 1}. ${who} ${total}`);
    },
    sessions: (random, edge) =>
      times(2, () => {
        const names = random.shuffle(["mia", "noa", "ole", "pia", "quy"]);
        return [
          ...names.map((name, i) => `${add} ${name} ${10 + i * 7 + random.integer(0, 5)}`),
          `${top} 3`,
          `${add} ${names[0]} 200`,
          `${top} 4`,
          ...(edge ? [`${add} zoe 500`, `${add} yan 500`, `${add} abe 500`, `${top} 9`] : []),
        ];
      }),
  };
};
