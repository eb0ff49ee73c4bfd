import { z } from "zod";

/** A JSON value: what may cross a boundary between trusted and untrusted code. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

const jsonTree: z.ZodType<Json> = z.lazy(() =>
  z.union([z.null(), z.boolean(), z.number(), z.string(), z.array(jsonTree), z.record(z.string(), jsonTree)]),
);

/** Deeper values would exhaust the stack of whatever walks them. */
export const maximumJsonDepth = 200;
const boundedDepth = z.unknown().refine((value) => !isDeeper(value, maximumJsonDepth), {
  message: `is nested more than ${maximumJsonDepth} levels deep`,
  abort: true,
});

export const jsonSchema = boundedDepth.pipe(jsonTree as z.ZodType<Json, unknown>);
export const jsonObjectSchema = boundedDepth.pipe(z.record(z.string(), jsonTree) as z.ZodType<JsonObject, unknown>);

/** Whether objects and arrays lie in each other more than so many levels; walks without recursion. */
export function isDeeper(value: unknown, levels: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    const inner = level.filter((item) => typeof item === "object" && item !== null);
    if (inner.length > 0 && depth >= levels) return true;
    level = inner.flatMap((item) => Object.values(item as object));
  }
  return false;
}

/**
 * The one text of a JSON value: keys sorted by code unit, no white space, so that equal values have equal digests.
 * Members that are `undefined` are left out, as JSON.stringify does.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(",")}}`;
}
