import { type Operator, type ShellProblem, type Token, tokenizeShell, type Word } from "./lexer.ts";
import type { Command, CompoundCommand, CompoundKind, Pipeline, Redirect, Script, Statement } from "./syntax.ts";

const redirects = new Set([">", ">>", "<", "<<", "<<-", "<<<", ">&", "<&", "&>", "&>>", "<>", ">|"]);
const closing = new Set(["then", "else", "elif", "fi", "do", "done", "esac", "}"]);

const deepestNesting = 200;

class Parser {
  readonly #tokens: Token[];
  readonly problems: ShellProblem[];
  readonly #bodies: string[];
  #index = 0;
  #body = 0;
  #depth = 0;

  constructor(source: string) {
    const { tokens, problems } = tokenizeShell(source);
    this.#tokens = tokens.filter((token) => token.type !== "heredoc");
    this.#bodies = tokens.flatMap((token) => (token.type === "heredoc" ? [token.body] : []));
    this.problems = problems;
  }

  get #token(): Token | undefined {
    return this.#tokens[this.#index];
  }
  get #line(): number {
    return this.#token?.line ?? this.#tokens.at(-1)?.line ?? 1;
  }
  #operator(...texts: string[]): boolean {
    const token = this.#token;
    return token?.type === "operator" && texts.includes(token.text);
  }
  #reserved(...texts: string[]): boolean {
    const token = this.#token;
    return token?.type === "word" && !token.quoted && texts.includes(token.text);
  }
  #take(): Token {
    return this.#tokens[this.#index++] as Token;
  }
  #skipNewlines(): void {
    while (this.#operator("\n", ";")) this.#index += 1;
  }
  #expect(word: string, opened: number): void {
    this.#skipNewlines();
    if (this.#reserved(word)) this.#index += 1;
    else this.problems.push({ message: `\`${word}\` is missing for the command that begins here`, line: opened });
  }

  script(): Statement[] {
    const statements: Statement[] = [];
    while (this.#token !== undefined) {
      statements.push(...this.#list());
      if (this.#token !== undefined) {
        const text = this.#token.type === "heredoc" ? "here-document" : this.#token.text;
        this.problems.push({ message: `unexpected \`${text}\``, line: this.#line });
        this.#index += 1;
      }
    }
    return statements;
  }

  #list(): Statement[] {
    const statements: Statement[] = [];
    for (;;) {
      this.#skipNewlines();
      const token = this.#token;
      if (token === undefined || this.#operator(")", ";;", ";&", ";;&") || this.#reserved(...closing))
        return statements;
      const before = this.#index;
      statements.push(this.#statement());
      if (this.#index === before) return statements;
    }
  }

  #statement(): Statement {
    const line = this.#line;
    const first = this.#pipeline();
    const rest: { operator: "&&" | "||"; pipeline: Pipeline }[] = [];
    while (this.#operator("&&", "||")) {
      const operator = (this.#take() as Operator).text as "&&" | "||";
      while (this.#operator("\n")) this.#index += 1;
      rest.push({ operator, pipeline: this.#pipeline() });
    }
    const background = this.#operator("&");
    if (background || this.#operator(";", "\n")) this.#index += 1;
    return { first, rest, background, line };
  }

  #pipeline(): Pipeline {
    const line = this.#line;
    let negated = false;
    while (this.#reserved("!", "time")) {
      if ((this.#take() as Word).text === "!") negated = !negated;
    }
    const commands = [this.#command()];
    while (this.#operator("|", "|&")) {
      this.#index += 1;
      while (this.#operator("\n")) this.#index += 1;
      commands.push(this.#command());
    }
    return { negated, commands, line };
  }

  #redirect(): Redirect | null {
    const token = this.#token;
    let descriptor: number | null = null;
    if (token?.type === "word" && /^\d+$/.test(token.raw)) {
      const next = this.#tokens[this.#index + 1];
      if (next?.type !== "operator" || !next.joined || !/^[<>]/.test(next.text)) return null;
      descriptor = Number(token.raw);
      this.#index += 1;
    }
    const operator = this.#token;
    if (operator?.type !== "operator" || !redirects.has(operator.text)) return null;
    this.#index += 1;
    const target = this.#token;
    if (target?.type !== "word") {
      this.problems.push({ message: `\`${operator.text}\` has no target`, line: operator.line });
      return {
        operator: operator.text,
        descriptor,
        target: { type: "word", raw: "", text: "", quoted: false, line: operator.line },
      };
    }
    this.#index += 1;
    const body = operator.text === "<<" || operator.text === "<<-" ? this.#bodies[this.#body++] : undefined;
    return { operator: operator.text, descriptor, target, ...(body === undefined ? {} : { body }) };
  }

  #compound(kind: CompoundKind, line: number, parts: Partial<CompoundCommand>): CompoundCommand {
    const list: Redirect[] = [];
    for (let redirect = this.#redirect(); redirect !== null; redirect = this.#redirect()) list.push(redirect);
    return { type: "compound", kind, conditions: [], bodies: [], ...parts, redirects: list, line };
  }

  #command(): Command {
    if (this.#depth >= deepestNesting) return this.#tooDeep();
    this.#depth += 1;
    try {
      return this.#anyCommand();
    } finally {
      this.#depth -= 1;
    }
  }

  /** Nothing behind it is read. */
  #tooDeep(): Command {
    const line = this.#line;
    this.problems.push({ message: `commands are nested more than ${deepestNesting} levels deep`, line });
    this.#index = this.#tokens.length;
    return { type: "simple", assignments: [], words: [], redirects: [], line };
  }

  #anyCommand(): Command {
    const line = this.#line;
    if (this.#operator("(")) return this.#subshell(line);
    if (this.#reserved("{")) {
      this.#index += 1;
      const body = this.#list();
      this.#expect("}", line);
      return this.#compound("group", line, { bodies: [body] });
    }
    if (this.#reserved("if")) return this.#if(line);
    if (this.#reserved("while", "until")) {
      const kind = (this.#take() as Word).text as CompoundKind;
      const condition = this.#list();
      this.#expect("do", line);
      const body = this.#list();
      this.#expect("done", line);
      return this.#compound(kind, line, { conditions: [condition], bodies: [body] });
    }
    if (this.#reserved("for", "select")) return this.#for(line);
    if (this.#reserved("case")) return this.#case(line);
    if (this.#reserved("function")) {
      this.#index += 1;
      const name = this.#token?.type === "word" ? (this.#take() as Word).text : "";
      return this.#function(name, line);
    }
    return this.#simple(line);
  }

  #subshell(line: number): Command {
    this.#index += 1;
    const next = this.#tokens[this.#index];
    if (next?.type === "operator" && next.text === "(") {
      let depth = 1;
      while (this.#token !== undefined && depth > 0) {
        const token = this.#take();
        if (token.type === "operator" && token.text === "(") depth += 1;
        if (token.type === "operator" && token.text === ")") depth -= 1;
      }
      return this.#compound("arithmetic", line, {});
    }
    const body = this.#list();
    if (this.#operator(")")) this.#index += 1;
    else this.problems.push({ message: "`)` is missing for the subshell that begins here", line });
    return this.#compound("subshell", line, { bodies: [body] });
  }

  #if(line: number): Command {
    const conditions: Statement[][] = [];
    const bodies: Statement[][] = [];
    do {
      this.#index += 1;
      conditions.push(this.#list());
      this.#expect("then", line);
      bodies.push(this.#list());
    } while (this.#reserved("elif"));
    if (this.#reserved("else")) {
      this.#index += 1;
      bodies.push(this.#list());
    }
    this.#expect("fi", line);
    return this.#compound("if", line, { conditions, bodies });
  }

  #for(line: number): Command {
    this.#index += 1;
    while (this.#token !== undefined && !this.#operator("\n", ";") && !this.#reserved("do")) this.#index += 1;
    if (this.#operator(";")) {
      // `for ((a; b; c))` holds semicolons of its own: read on to `do`.
      while (this.#token !== undefined && !this.#reserved("do")) this.#index += 1;
    }
    this.#expect("do", line);
    const body = this.#list();
    this.#expect("done", line);
    return this.#compound("for", line, { bodies: [body] });
  }

  #case(line: number): Command {
    this.#index += 1;
    while (this.#token !== undefined && !this.#reserved("in")) this.#index += 1;
    this.#index += 1;
    const bodies: Statement[][] = [];
    for (;;) {
      this.#skipNewlines();
      if (this.#token === undefined || this.#reserved("esac")) break;
      while (this.#token !== undefined && !this.#operator(")")) this.#index += 1;
      this.#index += 1;
      bodies.push(this.#list());
      if (this.#operator(";;", ";&", ";;&")) this.#index += 1;
    }
    this.#expect("esac", line);
    return this.#compound("case", line, { bodies });
  }

  #function(name: string, line: number): Command {
    if (this.#operator("(")) this.#index += 1;
    if (this.#operator(")")) this.#index += 1;
    while (this.#operator("\n")) this.#index += 1;
    const body = this.#command();
    const statement: Statement = {
      first: { negated: false, commands: [body], line },
      rest: [],
      background: false,
      line,
    };
    return this.#compound("function", line, { name, bodies: [[statement]] });
  }

  #simple(line: number): Command {
    const assignments: Word[] = [];
    const words: Word[] = [];
    const list: Redirect[] = [];
    for (;;) {
      const redirect = words[0]?.raw === "[[" && words.at(-1)?.raw !== "]]" ? null : this.#redirect();
      if (redirect !== null) {
        list.push(redirect);
        continue;
      }
      const token = this.#token;
      if (words[0]?.raw === "[[" && token !== undefined && token.type !== "heredoc" && words.at(-1)?.raw !== "]]") {
        if (token.type === "operator" && token.text === "\n") break;
        words.push(token.type === "word" ? token : { ...token, type: "word", raw: token.text, quoted: true });
        this.#index += 1;
        continue;
      }
      if (token?.type !== "word") {
        if (this.#operator("(") && words.length === 1 && assignments.length === 0)
          return this.#function(words[0]?.text ?? "", line);
        break;
      }
      this.#index += 1;
      if (words.length === 0 && /^[A-Za-z_]\w*(\[[^\]]*\])?\+?=/.test(token.raw)) assignments.push(token);
      else words.push(token);
    }
    return { type: "simple", assignments, words, redirects: list, line };
  }
}

/** Reads a shell script into statements. It never throws: what it can't read stands in `problems`, with the line. */
export function parseShell(source: string): Script {
  const parser = new Parser(source);
  const statements = parser.script();
  return { statements, problems: parser.problems };
}
