import { lookAlikes } from "./facts.ts";
import { codeWidth } from "./line.ts";
import type { World } from "./world.ts";

const code = (letter: string) => `U+${letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;

/** The conventions of the archive that the agent works from. */
export function conventions({ difficulty, root, columns }: World): string {
  const { name, place, amount } = columns;
  const widths = [codeWidth, name, place, amount];
  const fields = ["id", "name", "place", "amount"].map((field, index) => {
    const from = widths.slice(0, index).reduce((sum, width) => sum + width, 1);
    return `| ${field} | ${from} to ${from + (widths[index] as number) - 1} |`;
  });
  const told = [
    ...(difficulty >= 2
      ? [
          "A byte order mark at the start of the file: EF BB BF is `utf-8`, FF FE `utf-16le`, FE FF `utf-16be`. The mark is no part of the text.",
        ]
      : []),
    ...(difficulty >= 3
      ? [
          "A first line `%charset NAME`, with one of the names above. It is no part of the text: it is dropped and not counted, but its end counts as an end of line of the file.",
        ]
      : []),
    `The column \`encoding\` of \`/app/${root}/register.csv\`.`,
  ];
  const repairs = [
    ...(difficulty >= 4
      ? [
          "`double-encoded`: in a file with `via` = `gateway` in the register, UTF-8 was taken for Latin-1 (ISO 8859-1, bytes 80 to 9F included) and encoded again in some lines. A line is such a line when all its characters are at most U+00FF, at least one is above U+007F, and the bytes with these numbers are valid UTF-8; what they say is the line.",
        ]
      : []),
    ...(difficulty >= 3
      ? [
          "`zero-width`: the characters U+200B, U+2060 and U+FEFF are removed.",
          "`composed`: the line is put into normal form C (NFC), where it isn't yet after the steps before.",
        ]
      : []),
    ...(difficulty >= 5
      ? [
          `\`look-alike\`: in a word (letters without anything between them) that has Latin and Cyrillic letters, the Cyrillic ones of this list become the Latin ones; other words stay: ${lookAlikes.map(([latin, cyrillic]) => `${code(cyrillic)} → ${latin}`).join(", ")}.`,
        ]
      : []),
  ];
  return `# Texts of the archive

Files are in \`/app/${root}/files\`. Encodings are named \`utf-8\`, \`utf-16le\`, \`utf-16be\`, \`latin-1\` (ISO 8859-1), \`windows-1252\`, \`cp850\`, \`koi8-r\`.

## How the encoding is told

${told.length === 1 ? told[0] : `The first of these that a file has decides; the ones after it may be wrong.\n\n${told.map((text, index) => `${index + 1}. ${text}`).join("\n")}`}

## Lines

A line ends with CR LF, LF or CR, and with nothing else; U+0085 and U+2028 are ordinary characters. A file whose ends are all alike is \`crlf\`, \`lf\` or \`cr\`, another \`mixed\`. Lines are numbered from 1 in every file${difficulty >= 4 ? ", the ones that can't be decoded included" : ""}.
${difficulty >= 4 ? "\nA line whose bytes aren't valid in the encoding of its file can't be decoded. It is left out of the text and belongs to no figure unless one asks for it.\n" : ""}${repairs.length === 0 ? "" : `\n## Repairs\n\nEach line is repaired in this order:\n\n${repairs.map((text, index) => `${index + 1}. ${text}`).join("\n")}\n`}
## The clean text

The lines of a file in order${difficulty >= 3 ? ", repaired" : ""}, each with one LF behind it, in UTF-8 without a mark.

## Columns

Of a clean line, in characters (code points) from 1; spaces around a field don't belong to it. What comes after is a note.

| field | characters |
|---|---|
${fields.join("\n")}
`;
}
