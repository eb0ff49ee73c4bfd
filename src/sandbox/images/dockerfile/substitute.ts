// Variables in instruction words: $name, ${name}, ${name:-x}, ${name-x}, ${name:+x}, ${name+x}, ${name:?x}. No
// substitution inside single quotes or after the escape character; quotes are removed on the way.
import { unquote } from "./words.ts";

export type Variables = Readonly<Record<string, string>>;

export type Substitution = {
  readonly value: string;
  /** Names that were used but have no value. */
  readonly missing: readonly string[];
  /** Set when the word is malformed or `:?` fired. */
  readonly error: string | null;
};

/** Variables that hold each other could grow without end. */
const longestGrowth = 32 * 1024;
const deepestNesting = 20;

/** The value of one raw word (quotes as written). */
export function substitute(
  word: string,
  variables: Variables,
  escapeCharacter = "\\",
  keepQuotes = false,
  depth = 0,
): Substitution {
  if (!keepQuotes && !word.includes("$")) return { value: unquote(word, escapeCharacter), missing: [], error: null };
  const missing: string[] = [];
  let error: string | null = null;
  const longest = word.length + longestGrowth;
  let quote = "";
  let result = "";
  let i = 0;
  const get = (name: string): string | undefined => (Object.hasOwn(variables, name) ? variables[name] : undefined);
  while (i < word.length) {
    if (result.length > longest)
      return { value: result.slice(0, longest), missing, error: `variables make it longer than ${longest} characters` };
    const character = word[i] as string;
    const next = word[i + 1];
    if (!keepQuotes && quote === "" && (character === '"' || character === "'")) {
      quote = character;
      i++;
    } else if (!keepQuotes && quote !== "" && character === quote) {
      quote = "";
      i++;
    } else if (character === escapeCharacter && quote !== "'" && next !== undefined) {
      const special = quote === '"' || keepQuotes ? ['"', "$", escapeCharacter].includes(next) : true;
      result += special ? (keepQuotes && next !== "$" ? character + next : next) : character + next;
      i += 2;
    } else if (character === "$" && quote !== "'") {
      const braced = next === "{";
      const name = /^(?:[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?])/.exec(word.slice(i + (braced ? 2 : 1)))?.[0] ?? "";
      if (!braced) {
        if (name === "") {
          result += "$";
          i++;
          continue;
        }
        const value = get(name);
        if (value === undefined) missing.push(name);
        result += value ?? "";
        i += 1 + name.length;
        continue;
      }
      const end = closingBrace(word, i + 2, escapeCharacter);
      if (end < 0 || name === "") {
        error ??= end < 0 ? `"\${" without "}" in ${word}` : `no variable name in ${word.slice(i, end + 1)}`;
        result += word.slice(i, end < 0 ? undefined : end + 1);
        i = end < 0 ? word.length : end + 1;
        continue;
      }
      const rest = word.slice(i + 2 + name.length, end);
      const value = get(name);
      const [, colon, operator, operand = ""] = /^(:?)([-+?])([\s\S]*)$/.exec(rest) ?? [];
      const absent = value === undefined || (colon === ":" && value === "");
      if (operator === undefined) {
        if (rest !== "") error ??= `unsupported modifier in \${${name}${rest}}`;
        if (value === undefined) missing.push(name);
        result += value ?? "";
      } else {
        const inner = () => substitute(operand, variables, escapeCharacter, keepQuotes, depth + 1);
        const wanted = operator === "+" ? !absent : absent;
        if (depth > deepestNesting) error ??= "variables are nested too deeply";
        else if (operator === "?" && absent) error ??= `${name}: ${operand || "not set"}`;
        else if (wanted && operator !== "?") {
          const replaced = inner();
          missing.push(...replaced.missing);
          error ??= replaced.error;
          result += replaced.value;
        } else if (operator !== "+") result += value ?? "";
      }
      i = end + 1;
    } else {
      result += character;
      i++;
    }
  }
  return { value: result, missing, error };
}

function closingBrace(word: string, from: number, escapeCharacter: string): number {
  let depth = 1;
  for (let i = from; i < word.length; i++) {
    if (word[i] === escapeCharacter) i++;
    else if (word[i] === "$" && word[i + 1] === "{") {
      depth++;
      i++;
    } else if (word[i] === "}" && --depth === 0) return i;
  }
  return -1;
}
