import { Complaint, type MakePart, remembered, times } from "../../part.ts";
import { ring } from "./words.ts";

export const reach: MakePart = (random) => {
  const [pipe, within] = random.pick([
    ["pipe", "within"],
    ["wire", "near"],
    ["arrow", "around"],
  ] as const);
  return {
    name: "reach",
    shape: "reachable-set",
    verbs: [pipe, within],
    specification: `\`${pipe} A B\` adds a one-way connection and prints nothing. \`${within} A STEPS\` prints, on one line in alphabetical order, every place other than A that can be reached from A in at most STEPS steps, or \`none\`. A place that was never named has no connections. STEPS below 0 is an error: \`bad steps\`.`,
    python: `def ${pipe}(state, words):
§add§
    return []


def ${within}(state, words):
    pipes, start, steps = state.get("pipes", {}), words[0], int(words[1])
    if steps < 0:
        raise Problem("bad steps")
    found, edge = {start}, {start}
§loop§
§spread§
        found |= edge
§self§
    return [" ".join(sorted(found)) or "none"]`,
    right: {
      add: `    state.setdefault("pipes", {}).setdefault(words[0], set()).add(words[1])`,
      loop: "    for _ in range(steps):",
      spread: "        edge = {place for old in edge for place in pipes.get(old, ())} - found",
      self: "    found.discard(start)",
    },
    bugs: [
      { level: 1, kind: "off by one", slot: "loop", wrong: "    for _ in range(steps + 1):" },
      {
        level: 1,
        kind: "wrong direction",
        slot: "add",
        wrong: `    state.setdefault("pipes", {}).setdefault(words[1], set()).add(words[0])`,
      },
      {
        level: 2,
        kind: "state outlives the session",
        slot: "add",
        wrong: `    CALLS.setdefault(words[0], set()).add(words[1])\n    state["pipes"] = CALLS`,
      },
      { level: 3, kind: "off by one", slot: "loop", wrong: "    for _ in range(max(steps, 1)):" },
    ],
    answer(state, verb, [a, b], twisted) {
      const pipes: [string, string][] = remembered(state, "pipes", () => []);
      if (verb === pipe) {
        pipes.push([a!, b!]);
        return [];
      }
      if (Number(b) < 0) throw new Complaint("bad steps");
      let found = new Set([a!]);
      for (let i = 0; i < (twisted ? Math.max(Number(b), 1) : Number(b)); i++)
        found = new Set([...found, ...pipes.filter(([from]) => found.has(from)).map(([, to]) => to)]);
      found.delete(a!);
      return [[...found].sort().join(" ") || "none"];
    },
    sessions: (random, edge) =>
      times(3, () => {
        const [a, b, c, d, e] = ring(random, 5) as [string, string, string, string, string];
        return [
          `${pipe} ${a} ${b}`,
          `${pipe} ${b} ${c}`,
          `${pipe} ${c} ${d}`,
          `${pipe} ${d} ${e}`,
          ...(random.boolean() ? [`${pipe} ${c} ${a}`] : []),
          `${within} ${a} 1`,
          `${within} ${a} 2`,
          `${within} ${b} 3`,
          `${within} ${e} 4`,
          ...(edge ? [`${within} ${a} 0`, `${within} ${b} 0`] : []),
          `${within} ${a} -1`,
        ];
      }),
  };
};
