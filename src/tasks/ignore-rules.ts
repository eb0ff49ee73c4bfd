import { anyCharacter, compileGlob, type Glob, type GlobPart, literal, withinName } from "../contract/index.ts";

type Rule = { readonly pattern: Glob; readonly isNegated: boolean };

/**
 * Patterns as `.gitignore` has them, read as Harbor's reader (Python's pathspec) reads them: the last one that matches
 * a path decides, `a/*` means the direct children only, `/` means everything. Paths are relative, with `/`.
 * `true`: ignored, `false`: named by a negation, `undefined`: no pattern matches.
 */
export class IgnoreRules {
  readonly #rules: Rule[] = [];

  constructor(lines: readonly string[]) {
    for (const line of lines) {
      const rule = compile(line);
      if (rule !== null) this.#rules.push(rule);
    }
  }

  decide(path: string): boolean | undefined {
    let decision: boolean | undefined;
    for (const rule of this.#rules) if (rule.pattern.test(path)) decision = !rule.isNegated;
    return decision;
  }

  ignores(path: string): boolean {
    return this.decide(path) === true;
  }
}

function compile(line: string): Rule | null {
  let text = line.replace(/\r$/, "").replace(/(?<!\\)[ \t]+$/, "");
  if (text === "" || text.startsWith("#")) return null;
  if (text === "/") return { pattern: { test: () => true }, isNegated: false };
  const isNegated = text.startsWith("!");
  if (isNegated) text = text.slice(1);
  const isFolder = text.endsWith("/");
  if (isFolder) text = text.slice(0, -1);
  const isAnchored = text.includes("/");
  if (text.startsWith("/")) text = text.slice(1);
  if (text === "") return null;
  const segments = text.split("/");
  const onlyChildren = isAnchored && segments.at(-1) === "*" && !isFolder;
  if (!isAnchored && segments[0] !== "**") segments.unshift("**");
  const tail: GlobPart[] = [...literal("/"), { many: anyCharacter }];
  const below: GlobPart[] = isFolder ? tail : onlyChildren ? [] : [{ optional: tail }];
  try {
    return { pattern: compileGlob([...joinSegments(segments), ...below]), isNegated };
  } catch {
    return null;
  }
}

const folderName: GlobPart[] = [{ one: withinName }, { many: withinName }];
const folders: GlobPart = { repeated: [...folderName, ...literal("/")] };

function joinSegments(segments: readonly string[]): GlobPart[] {
  return segments.flatMap((segment, index) => {
    const isLast = index === segments.length - 1;
    if (segment !== "**") return [...translate(segment), ...(isLast ? [] : literal("/"))];
    return isLast ? [{ one: anyCharacter }, { many: anyCharacter }] : [folders];
  });
}

function translate(segment: string): GlobPart[] {
  const parts: GlobPart[] = [];
  const characters = [...segment];
  for (let index = 0; index < characters.length; index++) {
    const character = characters[index] as string;
    if (character === "*") parts.push({ many: withinName });
    else if (character === "?") parts.push({ one: withinName });
    else if (character === "\\" && index + 1 < characters.length) parts.push(...literal(characters[++index] as string));
    else if (character === "[") {
      const end = classEnd(characters, index);
      if (end === -1) parts.push(...literal("["));
      else {
        parts.push({ one: characterClass(characters.slice(index + 1, end)) });
        index = end;
      }
    } else parts.push(...literal(character));
  }
  return parts;
}

function classEnd(characters: readonly string[], start: number): number {
  let index = start + 1;
  if (characters[index] === "!" || characters[index] === "^") index++;
  if (characters[index] === "]") index++;
  while (index < characters.length && characters[index] !== "]") index++;
  return index < characters.length ? index : -1;
}

/** Throws where a range runs backwards: such a pattern matches nothing. */
function characterClass(content: readonly string[]): (character: string) => boolean {
  const isNegated = content[0] === "!" || content[0] === "^";
  const members = (isNegated ? content.slice(1) : content).map((member) =>
    member === "-" ? "-" : escapeCharacter(member),
  );
  const expression = new RegExp(`^[${isNegated ? "^" : ""}${members.join("")}]$`, "su");
  return (character) => withinName(character) && expression.test(character);
}

const escapeCharacter = (character: string): string => character.replace(/[\\^$.*+?()[\]{}|/-]/u, "\\$&");
