import type { Question } from "../../composition/index.ts";
import { edgeName, type Setting } from "./setting.ts";

/** Requests that never got past the edge. */
export function unreached(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const path = `${folder}/${random.pick(["unreached", "lost-at-the-edge", "never-arrived"])}.txt`;
  const { world } = facts;
  const seen = new Set(world.lines.filter((line) => line.edge === undefined).map((line) => line.request));
  const ids = facts.attempts.map((line) => line.request!).filter((id) => !seen.has(id));
  const last = world.backends.at(-1)!.name;
  const solve = (condition: string) => `
seen = {event["req"] for event in events if event["service"] ${condition}}
Path("${path}").write_text("".join(f"{rid}\\n" for rid in sorted({event["req"] for event in attempts} - seen)))`;
  return {
    key: "unreached",
    shape: "id-set",
    artefact: path,
    format: "text lines",
    statement: "The requests that no service behind the edge ever saw are listed",
    demand: `Some requests never made it past ${edgeName(setting)}: no other service has a single record for them. List their ids in \`${path}\`, one a line, sorted alphabetically.`,
    derivation: "ids at the edge minus ids anywhere else",
    ordering: "ascending",
    sources: ["/app/logs"],
    expected: [...ids].sort(),
    solve: solve("!= EDGE"),
    mistake: { name: "looks at one service only", solve: solve(`== "${last}"`) },
    check: `v.equal(v.lines("${path}"), wanted, "${path}")`,
  };
}
