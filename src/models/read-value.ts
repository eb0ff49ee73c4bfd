// The JSON value in a model's answer: alone, in a fence, after prose or after a think block.
import { z } from "zod";
import { InexactJson, parseExact } from "./exact-json.ts";

/** The value when one of the answer's JSON texts fits the schema, else what is wrong with the likeliest. */
export function readValue<T>(answer: string, schema: z.ZodType<T>): { value: T } | { problem: string } {
  let problem = "it holds no JSON value";
  for (const text of jsonTexts(answer)) {
    let value: unknown;
    try {
      value = parseExact(text, BigInt);
    } catch (error) {
      if (error instanceof InexactJson) problem = `it holds ${error.message}`;
      continue;
    }
    const found = fitted(value, schema);
    if ("value" in found) return found;
    problem = found.problem;
  }
  return { problem };
}

function jsonTexts(answer: string): string[] {
  const said = answer.replace(/<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/g, "").trim();
  const fences = [...said.matchAll(/```[a-zA-Z]*[ \t]*\n([\s\S]*?)\n[ \t]*```/g)].map(([, body]) =>
    (body ?? "").trim(),
  );
  const begin = said.search(/[{[]/);
  const end = Math.max(said.lastIndexOf("}"), said.lastIndexOf("]"));
  return [said, ...fences.reverse(), ...(begin >= 0 && end > begin ? [said.slice(begin, end + 1)] : [])];
}

/** A small integer where the schema has a 64-bit one is made one; a large one where it has a number is refused. */
function fitted<T>(value: unknown, schema: z.ZodType<T>): { value: T } | { problem: string } {
  const first = schema.safeParse(value);
  if (first.success) return { value: first.data };
  const small = first.error.issues.filter((issue) => issue.code === "invalid_type" && issue.expected === "bigint");
  if (small.length > 0) {
    const changed = small.reduce((whole, { path }) => withBigInt(whole, path), value);
    const second = schema.safeParse(changed);
    if (second.success) return { value: second.data };
  }
  return { problem: z.prettifyError(first.error) };
}

function withBigInt(value: unknown, path: readonly PropertyKey[]): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value !== "object" || value === null) return value;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<PropertyKey, unknown>;
  copy[key] = withBigInt(copy[key], rest);
  return copy;
}
