// Copies what the compiled code reads at run time and tsc leaves behind (.sql, .py, .sh, .md, .json) from src to dist.
import { cpSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";

const root = new URL("..", import.meta.url).pathname;
const destination = join(root, process.argv[2] ?? "dist");
const wanted = /\.(sql|py|sh|md|json)$/;

for (const entry of readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })) {
  const path = relative(join(root, "src"), join(entry.parentPath ?? entry.path, entry.name));
  if (!entry.isFile() || !wanted.test(entry.name) || path.split("/").includes("fixtures")) continue;
  cpSync(join(root, "src", path), join(destination, path));
}
