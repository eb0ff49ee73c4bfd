// JSON Schema as the grammar of a local model can hold it: what it knows is kept, what it doesn't is left open.
import type { Json, JsonObject, ToolSpec } from "../../contract/index.ts";

/** Longest text in an argument or an answer, in characters: without a limit a small model may never end one. */
const longestText = 2_000;

/** An answer that is one call of a tool, or a last word where that is allowed. */
export function answerSchema(tools: readonly ToolSpec[], mayEnd: boolean): JsonObject {
  const calls: JsonObject[] = tools.map(({ name, parameters }) => ({
    type: "object",
    properties: { tool: { const: name }, arguments: grammarSchema(parameters) },
  }));
  const final: JsonObject = { type: "object", properties: { final: { type: "string", maxLength: longestText } } };
  const choices = mayEnd ? [...calls, final] : calls;
  return choices.length === 1 ? (choices[0] as JsonObject) : { oneOf: choices };
}

/** Every property becomes required, as the grammar has no optional ones; $ref and the like become any text. */
export function grammarSchema(schema: Json | undefined): JsonObject {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return text();
  const { type, properties, items, oneOf, anyOf } = schema;
  if (schema.const !== undefined && isScalar(schema.const)) return { const: schema.const };
  if (Array.isArray(schema.enum) && schema.enum.every(isScalar)) return { enum: schema.enum };
  const choices = oneOf ?? anyOf;
  if (Array.isArray(choices) && choices.length > 0) return { oneOf: choices.map(grammarSchema) };
  if (Array.isArray(type) && type.length > 0)
    return { oneOf: type.map((one) => grammarSchema({ ...schema, type: one })) };
  if (type === "object" || isObject(properties))
    return {
      type: "object",
      properties: Object.fromEntries(
        Object.entries(isObject(properties) ? properties : {}).map(([name, value]) => [name, grammarSchema(value)]),
      ),
    };
  if (type === "array") return { type: "array", items: grammarSchema(items), maxItems: whole(schema.maxItems) ?? 20 };
  if (type === "integer" || type === "number" || type === "boolean" || type === "null") return { type };
  return text(whole(schema.minLength), whole(schema.maxLength));
}

const text = (minimum?: number, maximum?: number): JsonObject => ({
  type: "string",
  ...(minimum !== undefined && { minLength: minimum }),
  maxLength: Math.min(maximum ?? longestText, longestText),
});
const whole = (value: Json | undefined) =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;
const isScalar = (value: Json) => value === null || typeof value !== "object";
const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
