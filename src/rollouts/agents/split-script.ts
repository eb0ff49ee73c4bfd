/**
 * The commands of a shell script, one after the other: a line is a command, and so are lines joined by a backslash, an
 * open quote, a here-document or a compound command. Comments and blank lines between commands are left out.
 */
export function splitScript(text: string): string[] {
  const commands: string[] = [];
  let open: string[] = [];
  let scan = new Scan();
  for (const line of text.replaceAll("\r\n", "\n").split("\n")) {
    if (open.length === 0 && /^\s*(?:#|$)/.test(line)) continue;
    open.push(line);
    if (scan.leavesOpen(line)) continue;
    commands.push(open.join("\n"));
    open = [];
    scan = new Scan();
  }
  if (open.join("").trim() !== "") commands.push(open.join("\n"));
  return commands;
}

const opening = /^(?:if|case|for|while|until|select|\{)$/;
const closing = /^(?:fi|esac|done|\})$/;
const leading = /^(?:then|do|else|elif|!|\{|if|while|until|time)$/;
const document = /<<(-?)\s*(?:'([^']*)'|"([^"]*)"|\\?([\w.-]+))/y;

/** What is open in a command, from its first line on; every line is looked at once. */
class Scan {
  #quote = "";
  #depth = 0;
  #parentheses = 0;
  #word = "";
  #atStart = true;
  readonly #documents: { end: string; tabs: boolean }[] = [];
  /** Whether the lines that come belong to the first of the documents. */
  #inDocument = false;

  /** Whether the command goes on after this line. */
  leavesOpen(line: string): boolean {
    if (this.#inDocument) {
      const [first] = this.#documents;
      if (first && (first.tabs ? line.replace(/^\t+/, "") : line) === first.end) this.#documents.shift();
      this.#inDocument = this.#documents.length > 0;
    } else if (this.#endsInBackslash(line)) return true;
    else if (this.#quote === "") {
      this.#finish();
      this.#atStart = true;
      this.#inDocument = this.#documents.length > 0;
    }
    return this.#quote !== "" || this.#depth > 0 || this.#parentheses > 0 || this.#documents.length > 0;
  }

  #endsInBackslash(line: string): boolean {
    for (let index = 0; index < line.length; index++) {
      const character = line[index]!;
      if (character === "\\" && this.#quote !== "'") {
        this.#word += "x";
        if (index === line.length - 1) return true;
        index += 1;
      } else if (this.#quote !== "") {
        if (character === this.#quote) this.#quote = "";
      } else if (character === "'" || character === '"' || character === "`") {
        this.#quote = character;
        this.#word += "x";
      } else if (character === "#" && this.#word === "") return false;
      else if (line.startsWith("<<<", index)) index += 2;
      else if (line.startsWith("<<", index)) {
        document.lastIndex = index;
        const match = document.exec(line);
        if (!match) continue;
        this.#documents.push({ end: match[2] ?? match[3] ?? match[4] ?? "", tabs: match[1] === "-" });
        index += match[0].length - 1;
      } else if (/[\s;&|()]/.test(character)) {
        this.#finish();
        if (character === "(") this.#parentheses += 1;
        if (character === ")" && this.#parentheses > 0) this.#parentheses -= 1;
        if (/[;&|()]/.test(character)) this.#atStart = true;
      } else this.#word += character;
    }
    return false;
  }

  #finish(): void {
    const word = this.#word;
    this.#word = "";
    if (this.#atStart && opening.test(word)) this.#depth += 1;
    else if (this.#atStart && closing.test(word)) this.#depth -= 1;
    if (word !== "") this.#atStart = leading.test(word) && this.#atStart;
  }
}
