// A tokenizer for POSIX shell and the common bash extensions: quotes, expansions, here-documents, continuations and
// comments, each token with its line. It reads a script; it never expands or runs one.

export type Word = {
  readonly type: "word";
  /** As written. */
  readonly raw: string;
  /** Quotes and escapes removed; expansions stay as written. */
  readonly text: string;
  /** True when a part was quoted or escaped: such a word is never a reserved word. */
  readonly quoted: boolean;
  readonly line: number;
};
/** `joined` when no blank stands before it: `2>` and `2 >` differ. */
export type Operator = {
  readonly type: "operator";
  readonly text: string;
  readonly joined: boolean;
  readonly line: number;
};
export type HereDocument = { readonly type: "heredoc"; readonly body: string; readonly line: number };
export type Token = Word | Operator | HereDocument;

export type ShellProblem = { readonly message: string; readonly line: number };

const operators = [
  "&>>",
  "<<<",
  "<<-",
  ";;&",
  "&&",
  "||",
  "|&",
  ";;",
  ";&",
  "<<",
  ">>",
  "<&",
  ">&",
  "&>",
  "<>",
  ">|",
  "|",
  "&",
  ";",
  "(",
  ")",
  "<",
  ">",
];
const closers: Readonly<Record<string, string>> = { "$(": ")", "${": "}", "<(": ")", ">(": ")" };

/** Quotes in expansions in quotes: deeper ones are read as never closed. */
const deepestNesting = 200;

/**
 * Index just after the construct that opens at `start` with `$(`, `${`, `<(`, `>(`, or `(` for an array; -1 when it never
 * closes.
 */
function skipExpansion(source: string, start: number, depth = 0): number {
  if (depth > deepestNesting) return -1;
  const isArray = source[start] === "(";
  const stack = [isArray ? ")" : (closers[source.slice(start, start + 2)] as string)];
  let index = start + (isArray ? 1 : 2);
  while (index < source.length && stack.length > 0) {
    const character = source[index] as string;
    const pair = source.slice(index, index + 2);
    if (character === "\\") index += 2;
    else if (character === "'" && stack.at(-1) === ")") {
      const end = source.indexOf("'", index + 1);
      if (end < 0) return -1;
      index = end + 1;
    } else if (character === '"') {
      index = skipDoubleQuotes(source, index, depth + 1);
      if (index < 0) return -1;
    } else if (pair === "$(" || pair === "${") {
      stack.push(closers[pair] as string);
      index += 2;
    } else if (character === "(" && stack.at(-1) === ")") {
      stack.push(")");
      index += 1;
    } else if (character === stack.at(-1)) {
      stack.pop();
      index += 1;
    } else index += 1;
  }
  return stack.length === 0 ? index : -1;
}

function skipDoubleQuotes(source: string, start: number, depth = 0): number {
  let index = start + 1;
  while (index < source.length) {
    const character = source[index];
    if (character === "\\") index += 2;
    else if (character === '"') return index + 1;
    else if (character === "`") {
      const end = source.indexOf("`", index + 1);
      if (end < 0) return -1;
      index = end + 1;
    } else if (character === "$" && (source[index + 1] === "(" || source[index + 1] === "{")) {
      index = skipExpansion(source, index, depth + 1);
      if (index < 0) return -1;
    } else index += 1;
  }
  return -1;
}

const unescapeDouble = (text: string): string => text.replace(/\\([$`"\\])/g, "$1").replace(/\\\n/g, "");

/** Splits a script into tokens. Newlines come as the operator `\n`. A construct that never closes is a problem. */
export function tokenizeShell(source: string): { tokens: Token[]; problems: ShellProblem[] } {
  const tokens: Token[] = [];
  const problems: ShellProblem[] = [];
  const pending: { delimiter: string; stripTabs: boolean; line: number }[] = [];
  let index = 0;
  let line = 1;
  const advance = (end: number) => {
    for (let i = index; i < end; i++) if (source[i] === "\n") line += 1;
    index = end;
  };

  const readHereDocuments = () => {
    for (const { delimiter, stripTabs, line: opened } of pending.splice(0)) {
      const body: string[] = [];
      let closed = false;
      while (index < source.length && !closed) {
        const end = source.indexOf("\n", index);
        const text = source.slice(index, end < 0 ? source.length : end);
        advance(end < 0 ? source.length : end + 1);
        const bare = stripTabs ? text.replace(/^\t+/, "") : text;
        if (bare === delimiter) closed = true;
        else body.push(bare);
      }
      if (!closed) problems.push({ message: `here-document is never closed by ${delimiter}`, line: opened });
      tokens.push({ type: "heredoc", body: body.join("\n"), line: opened });
    }
  };

  const readWord = (): Word | null => {
    const start = index;
    const startLine = line;
    let text = "";
    let quoted = false;
    const unclosed = (what: string) => {
      problems.push({ message: `${what} is never closed`, line: startLine });
      text += source.slice(index);
      advance(source.length);
    };
    while (index < source.length) {
      const character = source[index] as string;
      const pair = source.slice(index, index + 2);
      if (character === "\\") {
        if (source[index + 1] === "\n") {
          advance(index + 2);
          continue;
        }
        quoted = true;
        text += source[index + 1] ?? "";
        advance(Math.min(index + 2, source.length));
      } else if (character === "'" || pair === "$'") {
        quoted = true;
        const from = index + (character === "'" ? 1 : 2);
        const end = source.indexOf("'", from);
        if (end < 0) unclosed("single quote");
        else {
          text += source.slice(from, end);
          advance(end + 1);
        }
      } else if (character === '"') {
        quoted = true;
        const end = skipDoubleQuotes(source, index);
        if (end < 0) unclosed("double quote");
        else {
          text += unescapeDouble(source.slice(index + 1, end - 1));
          advance(end);
        }
      } else if (character === "`") {
        const end = source.indexOf("`", index + 1);
        if (end < 0) unclosed("backquote");
        else {
          text += source.slice(index, end + 1);
          advance(end + 1);
        }
      } else if (pair in closers) {
        const end = skipExpansion(source, index);
        if (end < 0) unclosed(pair);
        else {
          text += source.slice(index, end);
          advance(end);
        }
      } else if (character === "$") {
        const special = /^\$[?#@*!$0-9-]/.test(pair) ? pair : "$";
        text += special;
        advance(index + special.length);
      } else if (/[ \t\r\n;&|()<>]/.test(character)) {
        // `name=(…)` is an array: its parentheses belong to the word.
        if (character === "(" && /^[A-Za-z_]\w*\+?=$/.test(source.slice(start, index))) {
          const end = skipExpansion(source, index);
          if (end < 0) unclosed("array");
          else {
            text += source.slice(index, end);
            advance(end);
          }
          continue;
        }
        break;
      } else {
        text += character;
        advance(index + 1);
      }
    }
    const raw = source.slice(start, index);
    return raw === "" ? null : { type: "word", raw, text, quoted, line: startLine };
  };

  while (index < source.length) {
    const character = source[index] as string;
    if (character === "\n") {
      tokens.push({ type: "operator", text: "\n", joined: false, line });
      advance(index + 1);
      readHereDocuments();
    } else if (character === " " || character === "\t" || character === "\r") advance(index + 1);
    else if (character === "\\" && source[index + 1] === "\n") advance(index + 2);
    else if (character === "#") {
      const end = source.indexOf("\n", index);
      advance(end < 0 ? source.length : end);
    } else {
      const operator = operators.find((candidate) => source.startsWith(candidate, index));
      const isProcess = /^[<>]\($/.test(source.slice(index, index + 2));
      if (operator !== undefined && !isProcess) {
        const joined = index > 0 && !/\s/.test(source[index - 1] as string);
        tokens.push({ type: "operator", text: operator, joined, line });
        advance(index + operator.length);
        if (operator === "<<" || operator === "<<-") {
          while (source[index] === " " || source[index] === "\t") advance(index + 1);
          const word = readWord();
          if (word === null) problems.push({ message: "here-document has no delimiter", line });
          else {
            tokens.push(word);
            pending.push({ delimiter: word.text, stripTabs: operator === "<<-", line: word.line });
          }
        }
      } else {
        const word = readWord();
        if (word !== null) tokens.push(word);
      }
    }
  }
  readHereDocuments();
  return { tokens, problems };
}
