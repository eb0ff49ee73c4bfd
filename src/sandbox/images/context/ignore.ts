// .dockerignore: patterns relative to the context's root, `!` takes back, `**` spans folders, the last match decides.

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

/** A file pattern (`*`, `?`, `[…]`, `**`) as a whole-string expression. */
export function globExpression(pattern: string): RegExp {
  let source = "";
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern[i] as string;
    if (character === "*" && pattern[i + 1] === "*") {
      i++;
      if (pattern[i + 1] === "/") {
        i++;
        source += "(?:.*/)?";
      } else source += ".*";
    } else if (character === "*") source += "[^/]*";
    else if (character === "?") source += "[^/]";
    else if (character === "[") {
      const end = pattern.indexOf("]", i + 2);
      if (end < 0) source += "\\[";
      else {
        const body = pattern.slice(i + 1, end).replace(/\\/g, "\\\\");
        source += `[${body.startsWith("!") ? `^${body.slice(1)}` : body}]`;
        i = end;
      }
    } else if (character === "\\" && i + 1 < pattern.length) source += escapeExpression(pattern[++i] as string);
    else source += escapeExpression(character);
  }
  return new RegExp(`^${source}$`, "s");
}

const escapeExpression = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
