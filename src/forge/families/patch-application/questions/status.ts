import type { Question } from "../../composition/index.ts";
import { byText, compareTable, type Setting, sourcesOf, writeTable } from "./setting.ts";

/** What became of each patch. */
export function status(setting: Setting): Question {
  const { random, world, folder } = setting;
  const path = `${folder}/${random.pick(["status", "outcome", "patches"])}.csv`;
  const columns = random.pick([
    ["patch", "status"],
    ["file", "outcome"],
  ]);
  const { difficulty } = world;
  const kinds = [
    "`applied`",
    ...(difficulty >= 4 ? ["`partly applied` (at least one hunk rejected)"] : []),
    ...(difficulty >= 3 ? ["`already applied`"] : []),
    ...(difficulty >= 5 ? ["`superseded`"] : []),
  ];
  const rows = [...world.patches]
    .sort((a, b) => byText(a.name, b.name))
    .map(({ name, status: found }) => [name, found]);
  const solve = (state: string) => `
rows = sorted([name, ${state}] for name, state in [*statuses.items(), *((name, "superseded") for name in superseded)])
${writeTable(path, columns)}`;
  return {
    key: "status",
    shape: "patch-status-csv",
    artefact: path,
    format: "CSV with header",
    statement: "It is said of each patch what became of it",
    demand: `\`${path}\`, header \`${columns.join(",")}\`, sorted by file name: what became of each patch: ${kinds.join(", ").replace(/, (?=[^,]*$)/, " or ")}.`,
    derivation: "the patches applied in order by the rules",
    ordering: "by file name",
    sources: sourcesOf(setting),
    expected: { columns, rows },
    solve: solve("state"),
    mistake: { name: "in capitals", solve: solve("state.upper()") },
    check: compareTable(path),
  };
}
