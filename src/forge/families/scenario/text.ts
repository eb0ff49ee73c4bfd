import type { Random } from "../../../statistics/index.ts";

/** The text of UTF-8 bytes with line feeds only and without a byte order mark; null for everything else. */
export function plainText(content: Uint8Array): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
    return /[\r\0\ufeff]/.test(text) ? null : text;
  } catch {
    return null;
  }
}

/** An older or damaged version: almost the same, never equal. */
export function altered(content: Uint8Array, random: Random): Uint8Array {
  const text = plainText(content);
  const lines = text?.split("\n") ?? [];
  if (lines.length > 4) {
    const [first, ...rest] = lines;
    const dropped = random.integer(0, rest.length - 2);
    return Buffer.from([first, ...rest.slice(0, dropped), ...rest.slice(dropped + 1)].join("\n"));
  }
  const copy = Uint8Array.from(content);
  const place = copy.length - 1;
  copy[place] = (copy[place] as number) ^ 1;
  return copy;
}
