import { type NumberParser, parse } from "lossless-json";
import { z } from "zod";
import type { Usage } from "../../../contract/index.ts";
import { failedAnswer } from "../failures.ts";

/**
 * An answer, or one event of a stream, as its dialect has it; numbers keep their digits unless `parseNumber` says otherwise.
 * Errors: ModelError `invalid_answer`, with what was used up to here.
 */
export function readBody<S extends z.ZodType>(
  schema: S,
  text: string,
  usage: Usage | null,
  parseNumber?: NumberParser,
): z.infer<S> {
  let value: unknown;
  try {
    value = parse(text, null, parseNumber);
  } catch {
    throw failedAnswer("invalid_answer", `the answer is no JSON: ${text.trim().slice(0, 200)}`, usage);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw failedAnswer("invalid_answer", `the answer is not of this dialect: ${z.prettifyError(parsed.error)}`, usage);
}
