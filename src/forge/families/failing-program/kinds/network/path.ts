import { Complaint, type MakePart, remembered, times } from "../../part.ts";
import { ring } from "./words.ts";

export const path: MakePart = (random) => {
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
