import { type MakePart, remembered, times } from "../../part.ts";
import { ring } from "./words.ts";

export const degrees: MakePart = (random) => {
  const [call, busiest] = random.pick([
    ["dial", "busiest"],
    ["mail", "busy"],
    ["send", "heavy"],
  ] as const);
  const least = random.integer(2, 3);
  return {
    name: "traffic",
    shape: "distinct-counts",
    verbs: [call, busiest],
    specification: `\`${call} A B\` notes that A reached B and prints nothing; A reaching itself doesn't count. \`${busiest}\` prints \`NAME PARTNERS CALLS\` for everyone with at least ${least} different partners (in either direction), by partners, most first, then by calls (made or received), most first, then by name.`,
    python: `def ${call}(state, words):
    first, second = words
§self§
        return []
    partners, calls = state.setdefault("partners", {}), state.setdefault("calls", {})
§pairs§
        partners.setdefault(a, set()).add(b)
        calls[a] = calls.get(a, 0) + 1
    return []


def ${busiest}(state, words):
    partners, calls = state.get("partners", {}), state.get("calls", {})
    rows = [(name, len(others), calls[name]) for name, others in partners.items()]
§filter§
§sort§
    return [f"{name} {others} {total}" for name, others, total in rows]`,
    right: {
      self: "    if first == second:",
      pairs: "    for a, b in ((first, second), (second, first)):",
      filter: `    rows = [row for row in rows if row[1] >= ${least}]`,
      sort: "    rows.sort(key=lambda row: (-row[1], -row[2], row[0]))",
    },
    bugs: [
      { level: 1, kind: "missing case", slot: "pairs", wrong: "    for a, b in ((first, second),):" },
      {
        level: 1,
        kind: "wrong comparison",
        slot: "filter",
        wrong: `    rows = [row for row in rows if row[1] > ${least}]`,
      },
      { level: 3, kind: "missing case", slot: "self", wrong: `    if not first:` },
      { level: 3, kind: "wrong tie", slot: "sort", wrong: "    rows.sort(key=lambda row: (-row[1], row[0]))" },
    ],
    answer(state, verb, [a, b], twisted) {
      const calls: [string, string][] = remembered(state, "calls", () => []);
      if (verb === call) {
        if (a !== b || twisted) calls.push([a!, b!], [b!, a!]);
        return [];
      }
      const names = [...new Set(calls.map(([from]) => from))];
      return names
        .map((name) => {
          const own = calls.filter(([from]) => from === name);
          return { name, partners: new Set(own.map(([, to]) => to)).size, total: own.length };
        })
        .filter((row) => row.partners >= least)
        .sort((x, y) => y.partners - x.partners || y.total - x.total || (x.name < y.name ? -1 : 1))
        .map((row) => `${row.name} ${row.partners} ${row.total}`);
    },
    sessions: (random, edge) =>
      times(2, () => {
        const names = ring(random, 6);
        const [a, b, c, d, e] = names.sort() as [string, string, string, string, string];
        const lines = [
          ...[b, c, d].map((other) => `${call} ${a} ${other}`),
          ...(least === 3 ? [] : [`${call} ${b} ${c}`, `${call} ${b} ${c}`, `${call} ${b} ${c}`]),
          `${call} ${a} ${e}`,
          `${call} ${a} ${b}`,
        ];
        if (least === 3) lines.push(`${call} ${b} ${c}`, `${call} ${b} ${d}`);
        lines.push(busiest);
        if (edge) {
          lines.push(
            `${call} ${a} ${a}`,
            `${call} ${b} ${b}`,
            `${call} zed ${a}`,
            `${call} zed ${b}`,
            `${call} zed ${c}`,
            `${call} yam ${a}`,
            `${call} yam ${b}`,
            `${call} yam ${c}`,
            `${call} zed ${c}`,
            `${call} zed ${c}`,
            busiest,
          );
        }
        return lines;
      }),
  };
};
