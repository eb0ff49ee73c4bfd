import type { Question } from "../../composition/index.ts";
import { fileText } from "../tree.ts";
import { byText, compareTable, type Setting, sourcesOf, writeTable } from "./setting.ts";

/** What the tree came to. */
export function sizes(setting: Setting): Question {
  const { random, world, folder } = setting;
  const path = `${folder}/${random.pick(["inventory", "sizes", "files"])}.tsv`;
  const columns = ["path", "lines", "bytes"];
  const rows = [...world.after]
    .sort(([a], [b]) => byText(a, b))
    .map(([name, file]) => [name, String(file.lines.length), String(fileText(file).length)]);
  const solve = (lines: string) => `
rows = [[path, ${lines}, len(data)] for path, data in result.items()]
${writeTable(path, columns).replace('lineterminator="\\n"', 'lineterminator="\\n", delimiter="\\t"')}`;
  return {
    key: "sizes",
    shape: "file-size-table",
    artefact: path,
    format: "tab-separated with header",
    statement: "The patched files are listed with lines and bytes",
    demand: `\`${path}\`, separated by tabs, header \`${columns.join("\t")}\`, sorted by path: every file of the patched tree with the number of its lines (an unfinished last line counts) and of its bytes.`,
    derivation: "bytes of the patched files",
    ordering: "by path",
    sources: sourcesOf(setting),
    expected: { columns, rows },
    solve: solve('len(tree[path]["lines"])'),
    mistake: { name: "one line too few", solve: solve('len(tree[path]["lines"]) - 1') },
    check: compareTable(path).replace(`v.csv("${path}")`, `v.csv("${path}", "\\t")`),
  };
}
