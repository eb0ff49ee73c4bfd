// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Text that somebody else wrote, fit for a terminal, a log or a report: control characters (escape sequences begin with
 * one) and characters that turn the direction of writing stand as `\u001b`. Line feeds and tabs stay.
 */
export function printable(text: string): string {
  return text
    .replace(/\r\n/g, "\n")
    .replace(unprintable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The same on one line. */
export const printableLine = (text: string): string => printable(text).replaceAll("\n", "\\n").replaceAll("\t", " ");

/** JSON of which no character acts on a terminal; its value is the same. */
export const printableJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(
    unprintable,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
