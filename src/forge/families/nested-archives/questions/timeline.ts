import type { Question } from "../../composition/index.ts";
import { byText, compareTable, instant, type Setting, sourcesOf, writeTable } from "./setting.ts";

/** When the files were last changed. */
export function timeline({ random, facts, folder }: Setting): Question {
  const path = `${folder}/by-time.csv`;
  const columns = random.pick([
    ["modified", "path"],
    ["mtime_utc", "file"],
  ]);
  const rows = facts.recovered
    .map(({ leaf }) => leaf)
    .sort((a, b) => b.modified - a.modified || byText(a.path, b.path))
    .map((leaf) => [instant(leaf.modified), leaf.path]);
  const solve = (sign: string) => `
order = sorted(recovered, key=lambda path: (${sign}modified[path], path))
rows = [[time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(modified[path])), path] for path in order]
${writeTable(path, columns)}`;
  return {
    key: "timeline",
    shape: "modified-timeline-csv",
    artefact: path,
    format: "CSV with header",
    statement: "Recovered files are listed by the time of their last change",
    demand: `\`${path}\`, header \`${columns.join(",")}\`: the recovered files, the one changed last first (equal times by path), with the time that the archive has for them as \`2025-03-01T08:00:02Z\`. The zip archives were made on machines that run on UTC.`,
    derivation: "modification times of the members",
    ordering: "time descending, then path",
    sources: sourcesOf(facts),
    expected: { columns, rows },
    solve: solve("-"),
    mistake: { name: "oldest first", solve: solve("") },
    check: compareTable(path),
  };
}
