import type { Random } from "../../../statistics/index.ts";
import type { Difficulty } from "../family.ts";
import { type Encoding, isUnicode } from "./encode.ts";
import { type Columns, drawLine, type Script } from "./line.ts";

export const lineEnds = { lf: "\n", crlf: "\r\n", cr: "\r" } as const;
export type LineEnd = keyof typeof lineEnds;
export type Flaw = "double-encoded" | "zero-width" | "composed" | "look-alike";
export type Line = {
  /** The text as it should be. */
  readonly text: string;
  readonly end: LineEnd;
  readonly flaws: ReadonlySet<Flaw>;
  /** Bytes were lost, so that the line can't be decoded. */
  readonly broken: boolean;
};
export type TextFile = {
  readonly name: string;
  readonly encoding: Encoding;
  readonly registered: Encoding;
  readonly mark: boolean;
  readonly header: boolean;
  readonly gateway: boolean;
  readonly ends: LineEnd | "mixed";
  readonly lines: readonly Line[];
};
export type World = {
  readonly difficulty: Difficulty;
  readonly root: string;
  readonly columns: Columns;
  /** By name. */
  readonly files: readonly TextFile[];
};

type Plan = {
  readonly encoding: Encoding;
  readonly mark?: boolean;
  readonly header?: boolean;
  readonly gateway?: boolean;
};

function plansFor(random: Random, difficulty: Difficulty): Plan[] {
  if (difficulty === 1)
    return [
      { encoding: "utf-8" },
      { encoding: "latin-1" },
      { encoding: "windows-1252" },
      { encoding: random.pick(["utf-8", "latin-1", "windows-1252"] as const) },
    ];
  const last = random.pick(["koi8-r", "latin-1", "utf-16be"] as const);
  return [
    { encoding: "utf-8", gateway: difficulty >= 4 },
    { encoding: "utf-8", mark: true },
    { encoding: random.pick(["utf-16le", "utf-16be"] as const), mark: true },
    { encoding: "windows-1252", header: difficulty >= 3 },
    { encoding: "cp850", header: difficulty >= 3 && random.boolean() },
    { encoding: last, mark: last === "utf-16be" },
  ];
}

function scriptFor(random: Random, encoding: Encoding): Script {
  if (encoding === "koi8-r") return "cyrillic";
  return isUnicode(encoding) ? random.pick(["latin", "latin", "latin", "cyrillic", "greek"]) : "latin";
}

/** What is wrong with a line; the first ones of a file make sure that every kind is there. */
function flawsOf(random: Random, difficulty: Difficulty, plan: Plan, index: number): Set<Flaw> {
  const flaws = new Set<Flaw>();
  if (difficulty < 3 || !isUnicode(plan.encoding)) return flaws;
  if (index === 0 || random.boolean(0.2)) flaws.add("composed");
  if (index === 1 || random.boolean(0.2)) flaws.add("zero-width");
  if (difficulty >= 5 && (index === 2 || random.boolean(0.15))) flaws.add("look-alike");
  if (plan.gateway === true && (index === 1 || index === 3 || random.boolean(0.3))) flaws.add("double-encoded");
  return flaws;
}

export function drawWorld(random: Random, difficulty: Difficulty): World {
  const columns: Columns = {
    name: random.integer(16, 20),
    place: random.integer(13, 16),
    amount: random.integer(7, 9),
  };
  const stems = random.sample(["ledger", "parish", "harbour", "letters", "depot", "census", "stock", "guild"], 8);
  let number = random.integer(1000, 7000);
  const drawn: string[] = [];
  const files = plansFor(random, difficulty).map((plan, place): TextFile => {
    const { encoding, mark = false, header = false, gateway = false } = plan;
    const kinds: readonly (LineEnd | "mixed")[] = difficulty === 1 ? ["crlf", "lf"] : ["crlf", "lf", "cr", "mixed"];
    // A file that is clean as it comes would hold an answer.
    const ends = random.pick(encoding === "utf-8" ? kinds.filter((kind) => kind !== "lf") : kinds);
    const endAt = (index: number): LineEnd =>
      ends === "mixed" ? ((["crlf", "lf", "cr"] as const)[index < 3 ? index : random.integer(0, 2)] as LineEnd) : ends;
    const lines = Array.from({ length: random.integer(6, 11) }, (_, index): Line => {
      number += random.integer(1, 9);
      const flaws = flawsOf(random, difficulty, plan, index);
      const script =
        flaws.size > 0 || index < 2 ? (encoding === "koi8-r" ? "cyrillic" : "latin") : scriptFor(random, encoding);
      const copied = isUnicode(encoding) && index >= 4 && drawn.length > 0 && (index === 4 || random.boolean(0.15));
      const text =
        copied && flaws.size === 0 ? random.pick(drawn) : drawLine(random, columns, number, script, encoding, index);
      drawn.push(text);
      const broken =
        difficulty >= 4 && encoding === "utf-8" && (index === 5 || random.boolean(0.08)) && flaws.size === 0;
      return { text, end: endAt(index), flaws, broken };
    });
    const registered = mark || header ? random.pick(["latin-1", "cp850", "koi8-r"] as const) : encoding;
    const name = `${stems[place]}-${random.integer(10, 99)}.txt`;
    return { name, encoding, registered, mark, header, gateway, ends, lines };
  });
  return {
    difficulty,
    root: random.pick(["archive", "intake", "legacy", "handover", "scans"]),
    columns,
    files: files.sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}
