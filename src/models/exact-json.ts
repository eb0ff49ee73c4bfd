import { parse } from "lossless-json";

/** What a text holds that can't be kept as it is: `"a" twice`. */
export class InexactJson extends Error {}

/**
 * Parses JSON in which nothing is lost or guessed: a key that stands twice, a number out of range and anything after the
 * value are refused. `large` decides what becomes of an integer beyond 2^53, which a number would round.
 * Errors: InexactJson, SyntaxError.
 */
export function parseExact(text: string, large: (digits: string) => unknown): unknown {
  return parse(text, null, {
    parseNumber(digits) {
      const number = Number(digits);
      if (!Number.isFinite(number)) throw new InexactJson(`the number ${digits}, which is out of range`);
      return /^-?\d+$/.test(digits) && !Number.isSafeInteger(number) ? large(digits) : number;
    },
    onDuplicateKey({ key }) {
      throw new InexactJson(`${JSON.stringify(key)} twice`);
    },
  });
}
