// Holds docs/coverage/*.md against the tree: every code file and test file named exists, every test named is in it.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = "docs/coverage";
const problems = [];
let rows = 0;
for (const file of existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".md")) : []) {
  readFileSync(join(folder, file), "utf8")
    .split("\n")
    .forEach((line, index) => {
      const cells = line.split("|").map((cell) => cell.trim());
      if (cells.length < 7 || cells[1] === "item" || /^-+$/.test(cells[1])) return;
      rows++;
      const [, item, , code, test, state] = cells;
      const problem = (text) => problems.push(`${folder}/${file}:${index + 1} ${item}: ${text}`);
      for (const [, path] of code.matchAll(/`([^`]+)`/g)) if (!existsSync(path)) problem(`no file ${path}`);
      const tests = [...test.matchAll(/`([^`]+)`(?: "([^"]+)")?/g)];
      if (state === "tested" && tests.length === 0) problem("says tested and names no test");
      if (state !== "tested" && !/^not yet: .+/.test(state))
        problem(`state must be "tested" or "not yet: reason", not "${state}"`);
      for (const [, path, name] of tests) {
        if (!existsSync(path)) problem(`no test file ${path}`);
        else if (name && !readFileSync(path, "utf8").includes(name)) problem(`${path} has no test "${name}"`);
      }
    });
}
for (const problem of problems) console.error(problem);
console.log(`coverage: ${rows} rows, ${problems.length} problems`);
process.exit(problems.length ? 1 : 0);
