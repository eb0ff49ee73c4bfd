import { doubled, encode, markOf } from "./encode.ts";
import { codeWidth } from "./line.ts";
import { type Flaw, type Line, lineEnds, type TextFile, type World } from "./world.ts";

/** Derivations in which a bug can be planted. */
export const derivations = [
  "double-encoded",
  "zero-width",
  "composed",
  "look-alike",
  "undecodable",
  "code-page",
] as const;
export const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
/** In the order in which repairs are made and named. */
export const flawOrder: readonly Flaw[] = ["double-encoded", "zero-width", "composed", "look-alike"];
/** Latin letters and the Cyrillic ones that look the same. */
export const lookAlikes: readonly (readonly [string, string])[] = [..."aceopxyABCEHKMOPTX"].map((latin, index) => [
  latin,
  [..."асеорхуАВСЕНКМОРТХ"][index] as string,
]);
const twins = new Map(lookAlikes);

/** The text as it stands in the file. */
function flawed({ text, flaws }: Line): string {
  let out = text;
  if (flaws.has("look-alike")) {
    // Every Latin name has such a letter, in a word of several.
    const at = [...out].findIndex((letter, index) => index >= codeWidth && twins.has(letter));
    out = out.slice(0, at) + twins.get(out.charAt(at)) + out.slice(at + 1);
  }
  if (flaws.has("composed")) out = out.normalize("NFD");
  if (flaws.has("zero-width")) out = `${out.slice(0, 9)}\u200b${out.slice(9, 12)}\u2060${out.slice(12)}`;
  if (flaws.has("double-encoded")) out = doubled(out);
  return out;
}

const brokenBytes = (bytes: Uint8Array) =>
  Buffer.concat([bytes.slice(0, codeWidth + 1), Uint8Array.of(0xff, 0xc3), bytes.slice(codeWidth + 1)]);

export type Entry = {
  readonly file: TextFile;
  readonly number: number;
  readonly line: Line;
  readonly text: string;
  readonly raw: Uint8Array;
};
export type Facts = {
  readonly world: World;
  readonly bytes: ReadonlyMap<TextFile, Uint8Array>;
  /** Every line, those that can't be decoded too, by file and number. */
  readonly all: readonly Entry[];
  /** Lines of the clean texts. */
  readonly entries: readonly Entry[];
};

export function deriveFacts(world: World, bug: string | null): Facts {
  const bytes = new Map<TextFile, Uint8Array>();
  const all: Entry[] = [];
  for (const file of world.files) {
    const { encoding, lines } = file;
    const parts: Uint8Array[] = file.mark ? [markOf(encoding)] : [];
    if (file.header) parts.push(encode(`%charset ${encoding}${lineEnds[lines[0]?.end ?? "lf"]}`, encoding));
    lines.forEach((line, index) => {
      const plain = encode(flawed(line), encoding);
      const raw = line.broken ? brokenBytes(plain) : plain;
      parts.push(raw, encode(lineEnds[line.end], encoding));
      const kept =
        bug !== null && line.flaws.has(bug as Flaw) ? flawed({ ...line, flaws: new Set([bug as Flaw]) }) : line.text;
      const text = bug === "code-page" && encoding === "windows-1252" ? Buffer.from(raw).toString("latin1") : kept;
      all.push({ file, number: index + 1, line, text, raw });
    });
    bytes.set(file, Buffer.concat(parts));
  }
  return { world, bytes, all, entries: all.filter(({ line }) => !line.broken || bug === "undecodable") };
}

export const textOf = ({ entries }: Facts, file: TextFile) =>
  entries
    .filter((entry) => entry.file === file)
    .map(({ text }) => `${text}\n`)
    .join("");
export const fieldsOf = ({ world }: Facts, text: string) => {
  const { name, place, amount } = world.columns;
  const ends = [0, codeWidth, codeWidth + name, codeWidth + name + place, codeWidth + name + place + amount];
  return ends.map((from, index) => text.slice(from, ends[index + 1]).trim()) as [
    string,
    string,
    string,
    string,
    string,
  ];
};
/** Lines that repeat an earlier one, with that one. */
export function repeatsOf({ entries }: Facts): { readonly entry: Entry; readonly first: Entry }[] {
  const seen = new Map<string, Entry>();
  return entries.flatMap((entry) => {
    const first = seen.get(entry.text);
    if (first !== undefined) return [{ entry, first }];
    seen.set(entry.text, entry);
    return [];
  });
}
export const letterKey = (text: string) =>
  text
    .normalize("NFD")
    .replaceAll(/\p{Mn}/gu, "")
    .toLowerCase();
export const namesOf = (facts: Facts) => [...new Set(facts.entries.map(({ text }) => fieldsOf(facts, text)[1]))];

/** Worlds in which a kind of work or a mistake would decide nothing are drawn again. */
export function isSound(facts: Facts): boolean {
  const { world, entries } = facts;
  const names = namesOf(facts);
  const has = (flaw: Flaw) => entries.some(({ line }) => line.flaws.has(flaw));
  return (
    repeatsOf(facts).length > 0 &&
    [...names].sort(byText).join() !==
      [...names].sort((a, b) => byText(letterKey(a), letterKey(b)) || byText(a, b)).join() &&
    (world.difficulty < 3 || (has("composed") && has("zero-width"))) &&
    (world.difficulty < 4 || (has("double-encoded") && facts.all.some(({ line }) => line.broken))) &&
    (world.difficulty < 5 || has("look-alike"))
  );
}
