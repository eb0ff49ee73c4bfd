import type { TaskFiles } from "../../task-files.ts";
import { type ContextFiles, sourcePattern } from "./context.ts";

/** The build context in a task's folder, with what its .dockerignore leaves out. */
export function readTaskContext(files: TaskFiles, folder: string): ContextFiles {
  const inside = files.paths
    .filter((path) => path.startsWith(`${folder}/`))
    .map((path) => path.slice(folder.length + 1));
  const paths = new Set<string>();
  for (const path of inside) {
    const parts = path.split("/");
    for (let length = 1; length <= parts.length; length++) paths.add(parts.slice(0, length).join("/"));
  }
  const ignored = dockerIgnore(files.text(`${folder}/.dockerignore`) ?? "");
  return { paths, ignored: new Set([...paths].filter((path) => path !== "Dockerfile" && ignored(path))) };
}

/** The last pattern that matches a path or a folder above it decides; `!` takes back. */
function dockerIgnore(text: string): (path: string) => boolean {
  const rules = text.split(/\r?\n/).flatMap((line) => {
    const trimmed = line.trim();
    const negated = trimmed.startsWith("!");
    const pattern = (negated ? trimmed.slice(1).trim() : trimmed).replace(/^\.?\/+/, "").replace(/\/+$/, "");
    if (pattern === "" || trimmed.startsWith("#")) return [];
    const parts = pattern
      .split("/")
      .map((part) => (part === "**" ? "(?:.*)" : sourcePattern(part).source.slice(1, -1)));
    return [{ negated, expression: new RegExp(`^${parts.join("/").replaceAll("(?:.*)/", "(?:.*/)?")}$`, "s") }];
  });
  return (path) => {
    const parts = path.split("/");
    const prefixes = parts.map((_, index) => parts.slice(0, index + 1).join("/"));
    let ignored = false;
    for (const { negated, expression } of rules)
      if (prefixes.some((prefix) => expression.test(prefix))) ignored = !negated;
    return ignored;
  };
}
