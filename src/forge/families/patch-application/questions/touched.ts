import type { Question } from "../../composition/index.ts";
import { appliedOf, compareJson, type Setting, sourcesOf, writeJson } from "./setting.ts";

/** Which patches changed which file. */
export function touched(setting: Setting): Question {
  const { random, world, folder } = setting;
  const path = `${folder}/${random.pick(["touched", "by-file", "origins"])}.json`;
  const found: Record<string, string[]> = {};
  const now = new Map<string, string>();
  for (const { name, parts, placed } of appliedOf(setting))
    for (const { kind, from, to, hunks } of parts) {
      const original = [...now].find(([, present]) => present === from)?.[0] ?? from;
      now.set(original, to);
      const works = hunks.length === 0 || placed.some((row) => row.path === to && row.outcome !== "rejected");
      if (works || kind === "rename") found[original] = [...(found[original] ?? []), name];
    }
  const expected = Object.fromEntries(
    Object.entries(found)
      .map(([original, names]) => [now.get(original) as string, names] as const)
      .filter(([file]) => world.after.has(file)),
  );
  const solve = (order: string) => `
by, now = {}, {}
for name in applied:
    for part in parse((QUEUE / name).read_text(), patches[name]):
        old, new = part["old"] or part["new"], part["new"] or part["old"]
        original = next((first for first, present in now.items() if present == old), old)
        now[original] = new
        works = [hunk for hunk in hunks if hunk["patch"] == name and hunk["path"] == new and hunk["offset"] is not None]
        if works or old != new:
            by.setdefault(original, []).append(name)
${writeJson(path, `{now[original]: ${order} for original, names in by.items() if now[original] in result}`)}`;
  return {
    key: "touched",
    shape: "patches-by-file",
    artefact: path,
    format: "JSON object of arrays",
    statement: "For each changed file the patches that changed it are named",
    demand: `\`${path}\`: a JSON object that gives for each file of the patched tree that a patch added${world.difficulty >= 3 ? ", renamed" : ""} or changed (path within \`${world.project}\`${world.difficulty >= 3 ? ", under its last name" : ""}) the array of those patches, in the order of application.${world.difficulty >= 4 ? " A patch all of whose hunks for a file were rejected didn't change it." : ""}`,
    derivation: "paths of the parts that were applied",
    ordering: "arrays as applied",
    sources: sourcesOf(setting),
    expected,
    solve: solve("names"),
    mistake: { name: "only the last one", solve: solve("names[-1:] + names[:-1] if len(names) > 1 else []") },
    check: compareJson(path),
  };
}
