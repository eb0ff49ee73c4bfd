import type { Question } from "../../composition/index.ts";
import { byText } from "../facts.ts";
import { compareTable, type Setting, sourcesOf, writeTable } from "./setting.ts";

/** What each tag stands for. */
export function releases(setting: Setting): Question {
  const { random, facts, folder } = setting;
  const { world } = facts;
  const path = `${folder}/${random.pick(["releases", "tags"])}.csv`;
  const columns = random.pick([
    ["tag", "kind", "commit", "commits"],
    ["name", "type", "points_to", "history"],
  ]);
  const rows = [...world.tags]
    .sort((a, b) => byText(a.name, b.name))
    .map(({ name, commit, object }) => [
      name,
      commit === object ? "lightweight" : "annotated",
      commit,
      String(facts.reachable([commit]).size),
    ]);
  const solve = (target: string) => `
rows = [[name, "annotated" if annotated else "lightweight", ${target}, len(reachable(commit))] for name, (commit, annotated) in tags.items()]
${writeTable(path, columns)}`;
  return {
    key: "releases",
    shape: "tag-report-csv",
    artefact: path,
    format: "CSV with header",
    statement: "Every tag is listed with its kind and its commit",
    demand: `\`${path}\`, header \`${columns.join(",")}\`, sorted by name: a row for each tag; \`annotated\` or \`lightweight\`, the full hash of the commit that it leads to in the end, and how many commits that one reaches, merges and itself included.`,
    derivation: "tag references, peeled",
    ordering: "by name",
    sources: sourcesOf(setting),
    expected: { columns, rows },
    solve: solve("commit"),
    mistake: { name: "tag objects not peeled", solve: solve('refs[f"refs/tags/{name}"]') },
    check: compareTable(path),
  };
}
