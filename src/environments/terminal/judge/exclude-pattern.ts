/**
 * A file-name pattern as `tar --exclude` and fnmatch read it: `*` and `?` match anything, `[…]` one of a set, every
 * other character itself. It matches a whole relative path, or any of its tails that begins at a `/`.
 */
export function excludePattern(pattern: string): (relativePath: string) => boolean {
  let source = "";
  const text = pattern.replace(/^\.\//, "").replace(/(?<=.)\/+$/, "");
  for (let index = 0; index < text.length; index++) {
    const character = text[index]!;
    const set = character === "[" ? /^\[([!^]?)(\]?[^\]]*)\]/.exec(text.slice(index)) : null;
    if (character === "*") source += "[^]*";
    else if (character === "?") source += "[^]";
    else if (set?.[2]) {
      source += `[${set[1] ? "^" : ""}${set[2].replace(/[\\\]^]/g, "\\$&")}]`;
      index += set[0].length - 1;
    } else source += character.replace(/[\\^$.|?*+()[\]{}/]/g, "\\$&");
  }
  const expression = new RegExp(`^(?:[^]*/)?${source}$`);
  return (path) => expression.test(path);
}
