import { anyCharacter, characterSet, compileGlob, type GlobPart, literal } from "../../../contract/index.ts";

/**
 * A file-name pattern as `tar --exclude` and fnmatch read it: `*` and `?` match anything, `[…]` one of a set, every
 * other character itself. It matches a whole relative path, or any of its tails that begins at a `/`.
 */
export function excludePattern(pattern: string): (relativePath: string) => boolean {
  const parts: GlobPart[] = [{ optional: [{ many: anyCharacter }, ...literal("/")] }];
  const text = pattern.replace(/^\.\//, "").replace(/(?<=.)\/+$/, "");
  const set = /\[([!^]?)(\]?[^\]]*)\]/y;
  for (let index = 0; index < text.length; index++) {
    const character = String.fromCodePoint(text.codePointAt(index) as number);
    set.lastIndex = index;
    const found = character === "[" ? set.exec(text) : null;
    if (character === "*") parts.push({ many: anyCharacter });
    else if (character === "?") parts.push({ one: anyCharacter });
    else if (found?.[2]) parts.push({ one: characterSet(found[2], found[1] !== "") });
    else parts.push(...literal(character));
    index += found?.[2] ? found[0].length - 1 : character.length - 1;
  }
  const glob = compileGlob(parts);
  return (path) => glob.test(path);
}
