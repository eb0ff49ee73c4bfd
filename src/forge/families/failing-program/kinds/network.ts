import type { Random } from "../../../../statistics/index.ts";
import { Complaint, type MakePart, remembered, times } from "../part.ts";

const places = ["ayr", "bath", "cork", "deal", "ely", "fort", "gap", "hull"];
const ring = (random: Random, count: number) => random.shuffle(places).slice(0, count);

const path: MakePart = (random) => {
  const [road, find] = random.pick([
    ["road", "fastest"],
    ["link", "cheapest"],
    ["leg", "trip"],
  ] as const);
  return {
    name: "routes",
    shape: "shortest-path",
    verbs: [road, find],
    specification: `\`${road} A B COST\` adds a connection that can be used in both directions and prints nothing; of several between the same two places the cheapest counts. \`${find} A B\` prints \`COST A>…>B\` for the cheapest way; of equally cheap ones the one with fewer places, and among those the one that comes first in alphabetical order. From a place to itself the cost is 0. A place that was never named is an error: \`unknown place\`. No way: \`no way\`.`,
    python: `def ${road}(state, words):
    first, second, cost = words[0], words[1], int(words[2])
§graph§
§both§
§cheapest§
    return []


def ${find}(state, words):
    graph = state.get("graph", {})
    start, goal = words
    if start not in graph or goal not in graph:
        raise Problem("unknown place")
    queue, done = [(0, 1, [start])], set()
    while queue:
§order§
        queue.remove(entry)
        cost, size, way = entry
        if way[-1] == goal:
            return [f"{cost} " + ">".join(way)]
        if way[-1] in done:
            continue
        done.add(way[-1])
        for place, more in graph[way[-1]].items():
            if place not in done:
§extend§
    return ["no way"]`,
    right: {
      graph: `    graph = state.setdefault("graph", {})`,
      both: "    for a, b in ((first, second), (second, first)):",
      cheapest: "        near = graph.setdefault(a, {})\n        near[b] = min(cost, near.get(b, cost))",
      order: "        entry = min(queue)",
      extend: "                queue.append((cost + more, size + 1, way + [place]))",
    },
    bugs: [
      { level: 1, kind: "missing case", slot: "both", wrong: "    for a, b in ((first, second), (second, second)):" },
      {
        level: 1,
        kind: "wrong value",
        slot: "extend",
        wrong: "                queue.append((more, size + 1, way + [place]))",
      },
      { level: 2, kind: "mutable default", slot: "graph", wrong: `    graph = state.setdefault("graph", CALLS)` },
      {
        level: 3,
        kind: "overwritten value",
        slot: "cheapest",
        wrong: "        near = graph.setdefault(a, {})\n        near[b] = cost",
      },
      {
        level: 3,
        kind: "wrong tie",
        slot: "order",
        wrong: "        entry = min(queue, key=lambda item: (item[0], -item[1], item[2]))",
      },
    ],
    answer(state, verb, [a, b, text], twisted) {
      const graph: Map<string, Map<string, number>> = remembered(state, "graph", () => new Map());
      if (verb === road) {
        for (const [from, to] of [
          [a!, b!],
          [b!, a!],
        ] as const) {
          const near = graph.get(from) ?? new Map<string, number>();
          near.set(to, twisted ? Number(text) : Math.min(Number(text), near.get(to) ?? Number(text)));
          graph.set(from, near);
        }
        return [];
      }
      if (!graph.has(a!) || !graph.has(b!)) throw new Complaint("unknown place");
      let best: { cost: number; way: string[] } | null = null;
      const better = (cost: number, way: string[]) =>
        best === null ||
        cost < best.cost ||
        (cost === best.cost &&
          (way.length < best.way.length || (way.length === best.way.length && way.join(" ") < best.way.join(" "))));
      const walk = (way: string[], cost: number) => {
        if (!better(cost, way) && best !== null && cost > best.cost) return;
        if (way.at(-1) === b) {
          if (better(cost, way)) best = { cost, way };
          return;
        }
        for (const [place, more] of graph.get(way.at(-1)!)!)
          if (!way.includes(place)) walk([...way, place], cost + more);
      };
      walk([a!], 0);
      const found = best as { cost: number; way: string[] } | null;
      return [found === null ? "no way" : `${found.cost} ${found.way.join(">")}`];
    },
    sessions: (random, edge) =>
      times(2, () => {
        const [a, b, c, d, e] = ring(random, 5) as [string, string, string, string, string];
        const [x, y] = [random.integer(3, 20), random.integer(3, 20)];
        const lines = [
          `${road} ${a} ${b} ${x}`,
          `${find} sun sun`,
          `${road} ${b} ${c} ${y}`,
          `${road} ${a} ${c} ${x + y + random.integer(2, 9)}`,
          `${road} ${c} ${d} ${random.integer(1, 9)}`,
          `${find} ${a} ${d}`,
          `${find} ${d} ${a}`,
          `${find} ${a} ${a}`,
          `${find} ${a} mars`,
        ];
        if (edge) {
          lines.push(
            `${road} ${a} ${c} ${x + y}`,
            `${find} ${a} ${c}`,
            `${road} ${c} ${a} ${x + y + 50}`,
            `${road} ${c} ${b} ${y + 30}`,
            `${find} ${b} ${c}`,
            `${find} ${c} ${a}`,
            `${find} ${a} ${d}`,
          );
        }
        return [...lines, `${road} ${e} sun 4`, `${find} ${e} ${a}`];
      }),
  };
};

const reach: MakePart = (random) => {
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

const parts: MakePart = (random) => {
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

const degrees: MakePart = (random) => {
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

export const network = {
  id: "network",
  title: "a tool for networks",
  names: ["netmap", "atlas", "wayfinder", "mesh"],
  parts: [path, reach, parts, degrees],
};
