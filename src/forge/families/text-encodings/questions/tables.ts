import { compareTable, type Question, writeTable } from "../../composition/index.ts";
import { fieldsOf, flawOrder, repeatsOf, textOf } from "../facts.ts";
import { type Setting, sourcesOf } from "./setting.ts";

type Table = Pick<Question, "key" | "shape" | "statement" | "demand" | "derivation" | "ordering"> & {
  readonly path: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Python expressions for the list of rows. */
  readonly right: string;
  readonly wrong: string;
  readonly mistake: string;
};

function table(setting: Setting, { path, columns, rows, right, wrong, mistake, ...question }: Table): Question {
  const solve = (expression: string) => `rows = ${expression}\n${writeTable(path, columns)}`;
  return {
    ...question,
    artefact: path,
    format: "CSV with header",
    sources: sourcesOf(setting),
    expected: { columns, rows },
    solve: solve(right),
    mistake: { name: mistake, solve: solve(wrong) },
    check: compareTable(path),
  };
}

/** What each file is. */
export function inventory(setting: Setting): Question {
  const { facts, folder, random } = setting;
  const path = `${folder}/${random.pick(["inventory", "files", "holdings"])}.csv`;
  const columns = ["file", "encoding", "mark", "line_ends", "lines", "characters"];
  const rows = (count: string) =>
    `[[name, f["encoding"], f["mark"], f["ends"], len(f["lines"]), ${count}] for name, f in files.items()]`;
  return table(setting, {
    key: "inventory",
    shape: "encoding-inventory",
    statement: "Each file's encoding, mark, line ends, lines and characters are given",
    demand: `\`${path}\`, header \`${columns.join(",")}\`, sorted by file name: the encoding by its name in the document, whether the file has a byte order mark (\`yes\` or \`no\`), its ends of line (\`crlf\`, \`lf\`, \`cr\`, \`mixed\`), then of its clean text the number of lines and of characters (code points, ends of line included).`,
    derivation: "marks, header lines and the register; the clean texts",
    ordering: "by file name",
    path,
    columns,
    rows: facts.world.files.map((file) => {
      const text = textOf(facts, file);
      return [
        file.name,
        file.encoding,
        file.mark ? "yes" : "no",
        file.ends,
        String(text.split("\n").length - 1),
        String([...text].length),
      ];
    }),
    right: rows('len(f["text"])'),
    wrong: rows('len(f["text"].encode("utf-8"))'),
    mistake: "bytes counted as characters",
  });
}

/** The fixed columns as a table. */
export function records(setting: Setting): Question {
  const { facts, folder, random } = setting;
  const path = `${folder}/${random.pick(["records", "entries", "lines"])}.csv`;
  const columns = ["file", "id", "name", "place", "amount"];
  return table(setting, {
    key: "records",
    shape: "fixed-width-table",
    statement: "The fixed columns of all clean lines are in one table",
    demand: `\`${path}\`, header \`${columns.join(",")}\`: every line of the clean texts, in the order of file names and then of lines, cut into the columns of the document; repeated lines too.`,
    derivation: "columns counted in characters of the clean lines",
    ordering: "by file name, then line",
    path,
    columns,
    rows: facts.entries.map(({ file, text }) => [file.name, ...fieldsOf(facts, text).slice(0, 4)]),
    right: "[[name, *cut(text)] for name, _, text, _ in entries]",
    wrong: `[[name, *(field.encode("latin-1").decode("utf-8", "ignore").strip() for field in cut(text.encode("utf-8").decode("latin-1")))] for name, _, text, _ in entries]`,
    mistake: "columns counted in bytes",
  });
}

/** Lines that were there before. */
export function repeated(setting: Setting): Question {
  const { facts, folder, random } = setting;
  const path = `${folder}/${random.pick(["repeated", "duplicates", "copies"])}.csv`;
  const columns = ["file", "line", "first_file", "first_line"];
  const rows = (values: string) => `[[${values}] for name, number, first, at, _ in repeats]`;
  return table(setting, {
    key: "repeated",
    shape: "normalised-duplicates",
    statement: "Lines that repeat an earlier one after cleaning are listed with it",
    demand: `\`${path}\`, header \`${columns.join(",")}\`: each clean line that is the same as an earlier one (order of file names, then of lines), with the place of the first of them; lines by their numbers in the file as it came. In that same order.`,
    derivation: "clean lines compared over all files",
    ordering: "by file name, then line",
    path,
    columns,
    rows: repeatsOf(facts).map(({ entry, first }) => [
      entry.file.name,
      String(entry.number),
      first.file.name,
      String(first.number),
    ]),
    right: rows("name, number, first, at"),
    wrong: rows("first, at, name, number"),
    mistake: "the first ones taken for the repeated",
  });
}

/** What was repaired where. */
export function repairs(setting: Setting): Question {
  const { facts, folder, random } = setting;
  const path = `${folder}/${random.pick(["repairs", "changes", "mended"])}.csv`;
  const columns = ["file", "line", "repairs"];
  const rows = (number: string) => `[[name, ${number}, "+".join(done)] for name, number, _, done in entries if done]`;
  return table(setting, {
    key: "repairs",
    shape: "repair-log",
    statement: "Each line that was repaired is listed with what was done to it",
    demand: `\`${path}\`, header \`${columns.join(",")}\`: each line that a repair changed, with the names of the repairs in the order of the document, joined by \`+\`. Sorted by file name, then by the line's number in the file as it came.`,
    derivation: "each step of the repair compared with the step before",
    ordering: "by file name, then line",
    path,
    columns,
    rows: facts.entries
      .filter(({ line }) => line.flaws.size > 0)
      .map(({ file, number, line }) => [
        file.name,
        String(number),
        flawOrder.filter((flaw) => line.flaws.has(flaw)).join("+"),
      ]),
    right: rows("number"),
    wrong: rows("number - 1"),
    mistake: "lines numbered from 0",
  });
}

/** What can't be decoded. */
export function undecodable(setting: Setting): Question {
  const { facts, folder, random } = setting;
  const path = `${folder}/${random.pick(["undecodable", "lost", "unreadable"])}.csv`;
  const columns = ["file", "line", "bytes"];
  return table(setting, {
    key: "undecodable",
    shape: "undecodable-lines",
    statement: "Lines that can't be decoded are listed with their bytes",
    demand: `\`${path}\`, header \`${columns.join(",")}\`: each line that can't be decoded, with its number and its bytes (without the end of line) as lower-case hexadecimal digits. Sorted by file name, then by number.`,
    derivation: "bytes of each line against the encoding of its file",
    ordering: "by file name, then line",
    path,
    columns,
    rows: facts.all
      .filter(({ line }) => line.broken)
      .map(({ file, number, raw }) => [file.name, String(number), Buffer.from(raw).toString("hex")]),
    right: "[list(row) for row in undecodable]",
    wrong: "[[name, number, raw.upper()[:8]] for name, number, raw in undecodable]",
    mistake: "only the first bytes",
  });
}

/** How often each character beyond ASCII occurs. */
export function characters(setting: Setting): Question {
  const { facts, folder, random } = setting;
  const path = `${folder}/${random.pick(["characters", "glyphs", "repertoire"])}.csv`;
  const columns = ["codepoint", "count"];
  const counts = new Map<number, number>();
  for (const { text } of facts.entries)
    for (const letter of text) {
      const code = letter.codePointAt(0) as number;
      if (code > 127) counts.set(code, (counts.get(code) ?? 0) + 1);
    }
  const rows = (count: string) =>
    `[[f"U+{ord(letter):04X}", ${count}] for whole in ["".join(text for _, _, text, _ in entries)] for letter in sorted(set(whole)) if letter > "\\x7f"]`;
  return table(setting, {
    key: "characters",
    shape: "character-frequency",
    statement: "Each character beyond ASCII is counted",
    demand: `\`${path}\`, header \`${columns.join(",")}\`: each character above U+007F in the clean texts, as \`U+\` and four upper-case hexadecimal digits, and how often it occurs; sorted by code point.`,
    derivation: "characters of the clean texts",
    ordering: "by code point",
    path,
    columns,
    rows: [...counts]
      .sort(([a], [b]) => a - b)
      .map(([code, count]) => [`U+${code.toString(16).toUpperCase().padStart(4, "0")}`, String(count)]),
    right: rows("whole.count(letter)"),
    wrong: rows("len(letter)"),
    mistake: "each counted once",
  });
}
