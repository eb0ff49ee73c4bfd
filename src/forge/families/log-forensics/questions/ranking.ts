import type { Question } from "../../composition/index.ts";
import type { Setting } from "./setting.ts";

/** Who or what was hit most. */
export function ranking({ random, facts, folder }: Setting): Question {
  const [field, what] = random.pick([
    ["user", "users"],
    ["path", "paths"],
    ["address", "client addresses"],
  ] as const);
  const path = `${folder}/top-${what.split(" ").at(-1)}.txt`;
  const most = field === "path" ? 3 : random.integer(4, 6);
  const counts = new Map<string, number>();
  for (const { edge } of facts.failures) counts.set(edge.edge![field], (counts.get(edge.edge![field]) ?? 0) + 1);
  const order = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, most);
  const solve = (limit: number) => `
counts = {}
for event in failed:
    counts[event["${field}"]] = counts.get(event["${field}"], 0) + 1
ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:${limit}]
Path("${path}").write_text("".join(f"{count} {name}\\n" for name, count in ranked))`;
  return {
    key: "ranking",
    shape: "ranked-lines",
    artefact: path,
    format: "text lines",
    statement: `The ${what} with the most failed requests are ranked`,
    demand: `Put the ${most} ${what} with the most failed requests into \`${path}\`, one a line as \`<count> <${field}>\`, the highest count first, equal counts in alphabetical (byte) order.`,
    derivation: `failed requests counted by ${field}`,
    ordering: "count descending, then name ascending",
    sources: ["/app/logs"],
    expected: order.map(([name, count]) => `${count} ${name}`),
    solve: solve(most),
    mistake: { name: "lists one too few", solve: solve(order.length - 1) },
    check: `v.equal(v.lines("${path}"), wanted, "${path}")`,
  };
}
