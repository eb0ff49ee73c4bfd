import { type Path, type Position, positionAt } from "./locate-toml.ts";

type JsonFault = Position & { readonly expected: string };

/** The value of a JSON text; what `fault` makes of the first place that is none is thrown. */
export function parseJson(text: string, fault: (place: JsonFault) => Error): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const place = text.length > 16 << 20 ? null : new JsonLocator(text).fault;
    throw fault(place ?? { line: 1, column: 1, expected: "JSON" });
  }
}

/**
 * Where each member of a JSON text stands, and where its syntax breaks. Reads strictly as RFC 8259 has it; only used to
 * place errors, so it may be slower than JSON.parse.
 */
export class JsonLocator {
  readonly #text: string;
  readonly #positions = new Map<string, number>();
  /** The first member that stands twice in its object: of two, one would silently count. */
  duplicate: Path | null = null;
  #at = 0;
  #fault: { offset: number; expected: string } | null = null;

  constructor(text: string) {
    this.#text = text;
    try {
      this.#value([]);
      this.#blanks();
      if (this.#at < text.length) this.#fail("the end of the file");
    } catch (error) {
      if (this.#fault === null)
        this.#fault = { offset: this.#at, expected: error instanceof RangeError ? "less nesting" : String(error) };
    }
  }

  /** The first place where the text is not JSON, with what was expected there. */
  get fault(): JsonFault | null {
    if (this.#fault === null) return null;
    return { ...positionAt(this.#text, this.#fault.offset), expected: this.#fault.expected };
  }

  find(path: Path): Position | undefined {
    for (let length = path.length; length >= 0; length--) {
      const offset = this.#positions.get(JSON.stringify(path.slice(0, length)));
      if (offset !== undefined) return positionAt(this.#text, offset);
    }
    return undefined;
  }

  #value(path: Path): void {
    this.#blanks();
    const key = JSON.stringify(path);
    if (!this.#positions.has(key)) this.#positions.set(key, this.#at);
    const first = this.#text[this.#at];
    if (first === "{" || first === "[") this.#members(path, first === "{");
    else if (first === '"') this.#string();
    else this.#take(/true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y, "a value");
  }

  #members(path: Path, isObject: boolean): void {
    const close = isObject ? "}" : "]";
    this.#at++;
    this.#blanks();
    if (this.#text[this.#at] === close) {
      this.#at++;
      return;
    }
    for (let index = 0; ; index++) {
      this.#blanks();
      const start = this.#at;
      let member: string | number = index;
      if (isObject) {
        if (this.#text[start] !== '"') this.#fail("a member's name in double quotes");
        member = this.#string();
        this.#blanks();
        this.#take(/:/y, "a colon");
        const key = JSON.stringify([...path, member]);
        if (this.#positions.has(key)) this.duplicate ??= [...path, member];
        this.#positions.set(key, start);
      }
      this.#value([...path, member]);
      this.#blanks();
      if (this.#take(/[,\]}]/y, `a comma or ${close}`) === ",") continue;
      if (this.#text[this.#at - 1] === close) return;
      this.#at--;
      this.#fail(close);
    }
  }

  #string(): string {
    const start = this.#at;
    const raw = this.#take(/"(?:[^"\\]|\\[\s\S])*"/y, "a string in double quotes");
    try {
      return JSON.parse(raw) as string;
    } catch {
      this.#at = start;
      return this.#fail("a string with valid escapes and no line break");
    }
  }

  #blanks(): void {
    this.#take(/[ \t\r\n]*/y, "");
  }

  #take(pattern: RegExp, expected: string): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) this.#fail(expected);
    this.#at += (found as string).length;
    return found as string;
  }

  #fail(expected: string): never {
    this.#fault = { offset: this.#at, expected };
    throw new SyntaxError(expected);
  }
}
