export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "latin-1" | "windows-1252" | "cp850" | "koi8-r";

/** A code page's upper half: pairs of a byte and the characters from it on. */
type Stretch = readonly [number, string];
const pages: Record<"windows-1252" | "cp850" | "koi8-r", readonly Stretch[]> = {
  "windows-1252": [
    [0x80, "€"],
    [0x84, "„…"],
    [0x91, "‘’“”•–—"],
    ...Array.from({ length: 96 }, (_, index): Stretch => [0xa0 + index, String.fromCharCode(0xa0 + index)]),
  ],
  cp850: [
    [0x80, "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø"],
    [0xa0, "áíóúñÑ"],
    [0xb5, "ÁÂÀ"],
    [0xc6, "ãÃ"],
    [0xd2, "ÊËÈ"],
    [0xd6, "ÍÎÏ"],
    [0xe0, "ÓßÔÒõÕ"],
  ],
  "koi8-r": [
    [0xa3, "ё"],
    [0xb3, "Ё"],
    [0xc0, "юабцдефгхийклмнопярстужвьызшэщчъЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ"],
  ],
};
const tables = new Map(
  Object.entries(pages).map(([name, stretches]) => [
    name,
    new Map(
      stretches.flatMap(([from, text]) => [...text].map((letter, index): [string, number] => [letter, from + index])),
    ),
  ]),
);

/** The bytes of a text without any mark. */
export function encode(text: string, encoding: Encoding): Uint8Array {
  if (encoding === "utf-8") return Buffer.from(text, "utf8");
  const little = Buffer.from(text, encoding === "latin-1" ? "latin1" : "utf16le");
  if (encoding === "latin-1" || encoding === "utf-16le") return little;
  if (encoding === "utf-16be") return little.swap16();
  const table = tables.get(encoding);
  return Uint8Array.from([...text], (letter) => {
    const code = letter.charCodeAt(0);
    const byte = code < 0x80 ? code : table?.get(letter);
    if (byte === undefined) throw new RangeError(`${encoding} has no ${letter}`);
    return byte;
  });
}

export const markOf = (encoding: Encoding): Uint8Array => encode("\ufeff", encoding);
export const isUnicode = (encoding: Encoding) => encoding.startsWith("utf");
/** UTF-8 that somebody took for Latin-1. */
export const doubled = (text: string) => Buffer.from(text, "utf8").toString("latin1");
