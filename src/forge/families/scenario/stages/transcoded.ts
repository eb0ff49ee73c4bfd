// Text in other encodings and with other line ends; bytes that are no text as Base64.
import { type Stage, writeMade } from "../stage.ts";
import { plainText } from "../text.ts";

type Encoding = "utf-8" | "utf-8-sig" | "utf-16-le" | "utf-16" | "latin-1";

function encode(text: string, encoding: Encoding, bigEndian: boolean): Uint8Array {
  if (encoding === "latin-1") return Buffer.from(text, "latin1");
  if (encoding === "utf-8") return Buffer.from(text);
  if (encoding === "utf-8-sig") return Buffer.from(`\ufeff${text}`);
  const bytes = Buffer.from(encoding === "utf-16" ? `\ufeff${text}` : text, "utf16le");
  return encoding === "utf-16" && bigEndian ? bytes.swap16() : bytes;
}

const isLatin = (text: string) => [...text].every((character) => /[\n\t\x20-\x7e\xa0-\xff]/.test(character));

const decode = (folder: string, ends: string) => `
import base64, csv
made = {}
with open("${folder}/files.tsv", newline="") as table:
    for row in csv.DictReader(table, delimiter="\\t"):
        data = open("${folder}/" + row["file"], "rb").read()
        encoding, ends = row["encoding"], row["line_ends"]
        if encoding == "base64":
            made[row["path"]] = base64.b64decode(data)
            continue
        if encoding == "unknown":
            marks = {b"\\xef\\xbb\\xbf": "utf-8-sig", b"\\xff\\xfe": "utf-16", b"\\xfe\\xff": "utf-16"}
            encoding = next(name for mark, name in marks.items() if data.startswith(mark))
        text = data.decode(encoding)
        ${ends}
        made[row["path"]] = text.encode("utf-8")
${writeMade}`;

export const transcoded: Stage = {
  id: "transcoded",
  family: "text-encodings",
  suits: (inputs) => inputs.some(({ content }) => (plainText(content)?.split("\n").length ?? 0) > 2),
  deliver({ random, inputs, folder, difficulty, bug }) {
    const files: { path: string; content: Uint8Array | string }[] = [];
    const rows: string[] = [];
    let spoiled = !bug;
    let turned = false;
    for (const [index, { path, content }] of random.shuffle([...inputs]).entries()) {
      const file = `${String(index + 1).padStart(2, "0")}.dat`;
      const text = plainText(content);
      if (text === null) {
        const lines =
          Buffer.from(content)
            .toString("base64")
            .match(/.{1,76}/g) ?? [];
        files.push({ path: `${folder}/${file}`, content: `${lines.join("\n")}\n` });
        rows.push([file, path, "base64", "-"].join("\t"));
        continue;
      }
      const choices: Encoding[] = ["utf-8-sig", "utf-16-le", "utf-16", ...(isLatin(text) ? ["latin-1" as const] : [])];
      const encoding = random.pick(choices);
      const severalLines = text.split("\n").length > 2;
      // At least one file has line ends that must be turned.
      const crlf: boolean = severalLines && (!turned || random.boolean(0.5));
      turned ||= crlf;
      const said = difficulty >= 3 && (encoding === "utf-8-sig" || encoding === "utf-16") ? "unknown" : encoding;
      const written = spoiled || !severalLines ? text : text.replace("\n", "\n\n");
      spoiled ||= severalLines;
      const bytes = encode(crlf ? written.replaceAll("\n", "\r\n") : written, encoding, random.boolean());
      files.push({ path: `${folder}/${file}`, content: bytes });
      rows.push([file, path, said, crlf ? "CRLF" : "LF"].join("\t"));
    }
    const table = `file\tpath\tencoding\tline_ends\n${rows.join("\n")}\n`;
    return {
      files: [...files, { path: `${folder}/files.tsv`, content: table }],
      words: `They come from other systems and lie under \`/app/${folder}\` in the encodings of those. \`/app/${folder}/files.tsv\` names each file, its path below \`/app\`, its encoding (as Python calls it; \`base64\` for what is no text) and its line ends.${difficulty >= 3 ? " Where the encoding is unknown, the byte order mark at the beginning tells it." : ""} In place they are UTF-8 without a byte order mark, with line feeds only.`,
      program: decode(folder, `text = text.replace("\\r\\n", "\\n") if ends == "CRLF" else text`),
      mistaken: decode(folder, "pass"),
    };
  },
};
