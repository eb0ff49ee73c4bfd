// Splits an instruction's text into words as builders do: blanks separate, quotes hold together, the escape character
// takes the next one as it is.

/** Words with quotes and escapes as written. */
export function splitRawWords(text: string, escapeCharacter: string): string[] {
  const words: string[] = [];
  let word = "";
  let quote = "";
  for (let i = 0; i < text.length; i++) {
    const character = text[i] as string;
    if (quote === "" && /\s/.test(character)) {
      if (word !== "") words.push(word);
      word = "";
      continue;
    }
    word += character;
    if (character === escapeCharacter && quote !== "'" && i + 1 < text.length) word += text[++i];
    else if (quote === "" && (character === '"' || character === "'")) quote = character;
    else if (character === quote) quote = "";
  }
  if (word !== "") words.push(word);
  return words;
}

/** The JSON form: an array of strings, or null when the text is something else. */
export function parseJsonForm(text: string): string[] | null {
  if (!text.trimStart().startsWith("[")) return null;
  try {
    const value: unknown = JSON.parse(text.trim());
    return Array.isArray(value) && value.every((item) => typeof item === "string") ? value : null;
  } catch {
    return null;
  }
}

/** A word without its quotes and escapes, variables left alone. */
export function unquote(word: string, escapeCharacter: string): string {
  let result = "";
  let quote = "";
  for (let i = 0; i < word.length; i++) {
    const character = word[i] as string;
    const next = word[i + 1];
    if (quote === "" && (character === '"' || character === "'")) quote = character;
    else if (character === quote) quote = "";
    else if (character === escapeCharacter && quote === "" && next !== undefined) result += word[++i];
    else if (
      character === escapeCharacter &&
      quote === '"' &&
      next !== undefined &&
      ['"', "$", escapeCharacter].includes(next)
    )
      result += word[++i];
    else result += character;
  }
  return result;
}
