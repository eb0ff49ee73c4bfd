import { parse } from "smol-toml";

export type Position = { readonly line: number; readonly column: number };
export type Path = readonly (string | number)[];

const pathKey = (path: Path) => JSON.stringify(path);

/**
 * Where each key and array element of a TOML text stands, 1-based. The text must already have been parsed without an
 * error. `find` falls back to the nearest ancestor that is written down.
 */
export class TomlLocator {
  readonly #text: string;
  readonly #positions = new Map<string, number>();
  readonly #counts = new Map<string, number>();
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    if (text.charCodeAt(0) === 0xfeff) this.#at = 1;
    let table: Path = [];
    for (this.#skipVoid(); this.#at < text.length; this.#skipVoid()) {
      if (text[this.#at] === "[") table = this.#header();
      else this.#assignment(table);
    }
  }

  find(path: Path): Position | undefined {
    for (let length = path.length; length > 0; length--) {
      const offset = this.#positions.get(pathKey(path.slice(0, length)));
      if (offset !== undefined) return positionAt(this.#text, offset);
    }
    return undefined;
  }

  #header(): Path {
    const start = this.#at;
    const isArray = this.#text[start + 1] === "[";
    this.#at += isArray ? 2 : 1;
    const keys = this.#key();
    this.#at += isArray ? 2 : 1;
    const path: (string | number)[] = [];
    for (const [index, key] of keys.entries()) {
      path.push(key);
      const name = pathKey(path);
      if (isArray && index === keys.length - 1) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
      this.#mark(path, start);
      const count = this.#counts.get(name);
      if (count !== undefined) path.push(count - 1);
      this.#mark(path, start);
    }
    return path;
  }

  #assignment(table: Path): void {
    const start = this.#at;
    const keys = this.#key();
    for (let length = 1; length <= keys.length; length++) this.#mark([...table, ...keys.slice(0, length)], start);
    this.#at++;
    this.#skipVoid();
    this.#value([...table, ...keys]);
  }

  #mark(path: Path, offset: number): void {
    const key = pathKey(path);
    if (!this.#positions.has(key)) this.#positions.set(key, offset);
  }

  /** Reads a dotted key and the blanks after it. */
  #key(): string[] {
    const keys: string[] = [];
    for (;;) {
      this.#match(/[ \t]*/y);
      const raw = this.#match(/"(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+/y);
      keys.push(raw[0] === '"' ? String(parse(`k = ${raw}`).k) : raw[0] === "'" ? raw.slice(1, -1) : raw);
      this.#match(/[ \t]*/y);
      if (this.#text[this.#at] !== ".") return keys;
      this.#at++;
    }
  }

  #value(path: Path): void {
    const open = this.#text[this.#at];
    if (open === '"' || open === "'") {
      this.#match(
        /"""(?:[^"\\]|\\[\s\S]|"{1,2}(?!"))*"{3,5}|'''(?:[^']|'{1,2}(?!'))*'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y,
      );
      return;
    }
    if (open !== "[" && open !== "{") {
      this.#match(/[^,\]}#\r\n]+/y);
      return;
    }
    this.#at++;
    for (let index = 0; ; index++) {
      this.#skipVoid();
      if (this.#text[this.#at] === ",") this.#at++;
      this.#skipVoid();
      const next = this.#text[this.#at];
      if (next === undefined) return;
      if (next === "]" || next === "}") {
        this.#at++;
        return;
      }
      if (open === "[") {
        this.#mark([...path, index], this.#at);
        this.#value([...path, index]);
      } else this.#assignment(path);
    }
  }

  #skipVoid(): void {
    this.#match(/(?:[\s]|#[^\n]*)*/y);
  }

  /** Takes what the sticky pattern matches; a character when nothing does, so that the scan always ends. */
  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found === undefined ? 1 : found.length;
    return found ?? "";
  }
}

/** Line and column, 1-based, of an offset in a text. */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const lastBreak = before.lastIndexOf("\n");
  return { line: before.split("\n").length, column: offset - lastBreak };
}
