import type { Random } from "../../../statistics/index.ts";

export type SourceFile = { readonly lines: string[]; readonly crlf: boolean; endsWithNewline: boolean };
export type SourceTree = Map<string, SourceFile>;

/** Lines of a zone: a hunk changes the middle ones, and no other hunk's context reaches into it. */
export const zoneLength = 12;
export const middle = 5;

const words =
  "limit buffer origin offset margin quota window delay weight cursor region margin channel budget depth span".split(
    " ",
  );
const verbs = "load store check merge flush reset apply trim scan emit".split(" ");

/** Different lines, each of which occurs once in a task. */
export class LineSource {
  readonly #random: Random;
  #serial: number;
  constructor(random: Random) {
    this.#random = random;
    this.#serial = random.integer(100, 500);
  }
  next(): string {
    const random = this.#random;
    const number = this.#serial++;
    const word = random.pick(words);
    return random.pick([
      `${word}_${number} = ${random.integer(1, 999)}`,
      `    ${random.pick(verbs)}(${word}_${number}, ${random.integer(1, 99)})`,
      `# ${random.pick(verbs)} the ${word} (${number})`,
      `    if ${word}_${number} > ${random.integer(2, 60)}:`,
      `\treturn ${word}_${number}`,
    ]);
  }
  many(count: number): string[] {
    return Array.from({ length: count }, () => this.next());
  }
}

export const copyTree = (tree: SourceTree): SourceTree =>
  new Map([...tree].map(([path, file]) => [path, { ...file, lines: [...file.lines] }]));

export function fileText({ lines, crlf, endsWithNewline }: SourceFile): string {
  const end = crlf ? "\r\n" : "\n";
  return lines.join(end) + (endsWithNewline ? end : "");
}
