// .dockerignore: patterns relative to the context's root, `!` takes back, `**` spans folders, the last match decides.
import {
  anyCharacter,
  characterSet,
  compileGlob,
  type Glob,
  type GlobPart,
  literal,
  withinName,
} from "../../../contract/index.ts";

/** Tells whether a context path is left out; `path` has forward slashes and no leading one. */
export function ignoreMatcher(text: string): (path: string) => boolean {
  const rules = text.split(/\r?\n/).flatMap((line) => {
    const trimmed = line.trim();
    if (trimmed === "" || trimmed.startsWith("#")) return [];
    const negated = trimmed.startsWith("!");
    const pattern = (negated ? trimmed.slice(1).trim() : trimmed).replace(/^\.?\/+/, "").replace(/\/+$/, "");
    return pattern === "" ? [] : [{ negated, expression: globExpression(pattern) }];
  });
  if (rules.length === 0) return () => false;
  return (path) => {
    const parts = path.split("/");
    const prefixes = parts.map((_, index) => parts.slice(0, index + 1).join("/"));
    let ignored = false;
    for (const rule of rules) if (prefixes.some((prefix) => rule.expression.test(prefix))) ignored = !rule.negated;
    return ignored;
  };
}

/** A file pattern (`*`, `?`, `[…]`, `**`) that matches whole texts. */
export function globExpression(pattern: string): Glob {
  const parts: GlobPart[] = [];
  const characters = Array.from(pattern);
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] as string;
    if (character === "*" && characters[i + 1] === "*") {
      i++;
      if (characters[i + 1] === "/") {
        i++;
        parts.push({ optional: [{ many: anyCharacter }, ...literal("/")] });
      } else parts.push({ many: anyCharacter });
    } else if (character === "*") parts.push({ many: withinName });
    else if (character === "?") parts.push({ one: withinName });
    else if (character === "[") {
      const end = characters.indexOf("]", i + 2);
      if (end < 0) parts.push(...literal("["));
      else {
        const body = characters.slice(i + 1, end).join("");
        const isNegated = /^[!^]/.test(body);
        parts.push({ one: characterSet(isNegated ? body.slice(1) : body, isNegated) });
        i = end;
      }
    } else if (character === "\\" && i + 1 < characters.length) parts.push(...literal(characters[++i] as string));
    else parts.push(...literal(character));
  }
  return compileGlob(parts);
}
