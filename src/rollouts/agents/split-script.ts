/**
 * The commands of a shell script, one after the other: a line is a command, and so are lines joined by a backslash, an
 * open quote, a here-document or a compound command. Comments and blank lines between commands are left out.
 */
export function splitScript(text: string): string[] {
  const commands: string[] = [];
  let open: string[] = [];
  for (const line of text.replaceAll("\r\n", "\n").split("\n")) {
    if (open.length === 0 && /^\s*(?:#|$)/.test(line)) continue;
    open.push(line);
    if (isOpen(open)) continue;
    commands.push(open.join("\n"));
    open = [];
  }
  if (open.join("").trim() !== "") commands.push(open.join("\n"));
  return commands;
}

function isOpen(lines: readonly string[]): boolean {
  const text = lines.join("\n");
  let quote = "";
  let depth = 0;
  let parentheses = 0;
  let word = "";
  let atStart = true;
  const documents: { end: string; tabs: boolean }[] = [];
  const finish = () => {
    if (atStart && /^(?:if|case|for|while|until|select|\{)$/.test(word)) depth += 1;
    else if (atStart && /^(?:fi|esac|done|\})$/.test(word)) depth -= 1;
    if (word !== "") atStart = /^(?:then|do|else|elif|!|\{|if|while|until|time)$/.test(word) && atStart;
    word = "";
  };
  for (let index = 0; index < text.length; index++) {
    const character = text[index]!;
    if (character === "\\" && quote !== "'") {
      if (index === text.length - 1) return true;
      index += 1;
      word += "x";
      continue;
    }
    if (quote !== "") {
      if (character === quote) quote = "";
      continue;
    }
    if (character === "'" || character === '"' || character === "`") {
      quote = character;
      word += "x";
    } else if (character === "#" && word === "") {
      const end = text.indexOf("\n", index);
      index = (end < 0 ? text.length : end) - 1;
    } else if (text.startsWith("<<", index) && text[index + 2] !== "<") {
      const match = /^<<(-?)\s*(?:'([^']*)'|"([^"]*)"|\\?([\w.-]+))/.exec(text.slice(index));
      if (!match) continue;
      documents.push({ end: match[2] ?? match[3] ?? match[4] ?? "", tabs: match[1] === "-" });
      index += match[0].length - 1;
    } else if (text.startsWith("<<<", index)) index += 2;
    else if (character === "\n") {
      finish();
      atStart = true;
      for (const { end, tabs } of documents.splice(0)) {
        let rest = text.slice(index + 1).split("\n");
        const found = rest.findIndex((line) => (tabs ? line.replace(/^\t+/, "") : line) === end);
        if (found < 0) return true;
        index += rest.slice(0, found + 1).join("\n").length + 1;
        rest = [];
      }
    } else if (/[\s;&|()]/.test(character)) {
      finish();
      if (character === "(") parentheses += 1;
      if (character === ")" && parentheses > 0) parentheses -= 1;
      if (character === ")") atStart = true;
      if (/[;&|(]/.test(character)) atStart = true;
    } else word += character;
  }
  finish();
  return quote !== "" || depth > 0 || parentheses > 0 || documents.length > 0;
}
