import type { Question } from "../../composition/index.ts";
import { byText, compareJson, type Setting, sourcesOf, writeJson } from "./setting.ts";

/** How the files end their lines. */
export function lineEnds(setting: Setting): Question {
  const { random, world, folder } = setting;
  const path = `${folder}/${random.pick(["line-ends", "newlines", "endings"])}.json`;
  const files = [...world.after].sort(([a], [b]) => byText(a, b));
  const solve = (condition: string) => `
${writeJson(path, `{"crlf": [path for path, data in result.items() if b"\\r\\n" in data], "unfinished": [path for path, data in result.items() if ${condition}]}`)}`;
  return {
    key: "line_ends",
    shape: "line-ends-report",
    artefact: path,
    format: "JSON object of arrays",
    statement: "Files with CRLF and files without a newline at the end are listed",
    demand: `\`${path}\`, a JSON object with two sorted arrays of paths within the patched tree: \`crlf\`, the files whose lines end with CRLF, and \`unfinished\`, those whose last line has no line end.`,
    derivation: "bytes of the patched files",
    ordering: "arrays sorted",
    sources: sourcesOf(setting),
    expected: {
      crlf: files.filter(([, { crlf }]) => crlf).map(([name]) => name),
      unfinished: files.filter(([, { endsWithNewline }]) => !endsWithNewline).map(([name]) => name),
    },
    solve: solve('not data.endswith(b"\\n")'),
    mistake: { name: "finished ones listed", solve: solve('data.endswith(b"\\n")') },
    check: compareJson(path),
  };
}
