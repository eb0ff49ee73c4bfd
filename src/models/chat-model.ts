// A model that gives typed values: schema in, value and usage out, one round of repair.
import { z } from "zod";
import {
  type ChatModel,
  type JsonObject,
  ModelError,
  type ModelMessage,
  type ModelProvider,
} from "../contract/index.ts";
import { readValue } from "./read-value.ts";
import { addUsage } from "./usage.ts";

/** Errors of `generate`: ModelError `refusal`, `empty_answer`, `schema_mismatch`, and those of the provider. */
export function chatModel(provider: ModelProvider): ChatModel {
  return {
    id: provider.id,
    complete: (request, options) => provider.complete(request, options),
    async generate({ system, prompt, schema, sampling, sample, signal }) {
      const wanted = jsonSchemaOf(schema);
      const ask = (messages: readonly ModelMessage[]) =>
        provider.complete(
          {
            ...(system === undefined ? {} : { system }),
            messages,
            schema: wanted,
            ...(sampling ? { sampling } : {}),
            ...(sample === undefined ? {} : { sample }),
          },
          signal ? { signal } : {},
        );
      const question: ModelMessage = { role: "user", text: withSchema(prompt, wanted) };
      const first = await ask([question]);
      const read = readAnswer(provider.id, first, schema);
      if ("value" in read) return { value: read.value, usage: first.usage };
      const second = await ask([
        question,
        { role: "assistant", text: first.text, calls: [] },
        {
          role: "user",
          text: `That answer can't be used: ${read.problem}\nAnswer again, with one JSON value that satisfies the schema, and nothing else.`,
        },
      ]);
      const usage = addUsage(first.usage, second.usage);
      const again = readAnswer(provider.id, second, schema);
      if ("value" in again) return { value: again.value, usage };
      throw new ModelError({
        code: "schema_mismatch",
        message: `${provider.id} gave no value of the schema, twice: ${again.problem}`,
        remedy: "ask a stronger model, or for a simpler value",
        details: { answer: second.text.slice(0, 2_000) },
      });
    },
  };
}

function readAnswer<T>(
  id: string,
  { text, finishReason }: { text: string; finishReason: string },
  schema: z.ZodType<T>,
): { value: T } | { problem: string } {
  if (finishReason === "refusal")
    throw new ModelError({
      code: "refusal",
      message: `${id} refuses to answer: ${text.slice(0, 300)}`,
      remedy: "change the prompt, or ask another model",
    });
  if (text.trim() === "")
    return { problem: finishReason === "length" ? "it was cut off before it began" : "it was empty" };
  const read = readValue(text, schema);
  return "value" in read || finishReason !== "length" ? read : { problem: `it was cut off: ${read.problem}` };
}

/** 64-bit integers are integers to a model. */
function jsonSchemaOf(schema: z.ZodType): JsonObject {
  const made = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === "bigint") jsonSchema.type = "integer";
    },
  }) as JsonObject;
  const { $schema: _, ...rest } = made;
  return rest;
}

/** Said in words, too, as not every endpoint holds a model to a schema. */
const withSchema = (prompt: string, schema: JsonObject): string =>
  `${prompt}\n\nAnswer with one JSON value, and nothing else, that satisfies this JSON Schema:\n${JSON.stringify(schema)}`;
