// Reads a file of scripted replies: a JSON array, or JSON lines. A fault is named with file and line.
import { readFileSync, statSync } from "node:fs";
import { parse as parseJson } from "lossless-json";
import { z } from "zod";
import { ConfigError, jsonObjectSchema } from "../../contract/index.ts";

const condition = z.strictObject({
  /** The last message holds this text. */
  contains: z.string().optional(),
  /** The last message fits this regular expression. */
  matches: z.string().optional(),
  /** The provider was opened for this stage. */
  stage: z.string().optional(),
  /** The request is for the n-th answer of its conversation, from 1. */
  turn: z.int().positive().optional(),
});

const call = z.strictObject({
  id: z.string().optional(),
  name: z.string(),
  arguments: jsonObjectSchema.optional(),
  /** Instead of `arguments`: the text as a model might write it, valid JSON or not. */
  argumentsText: z.string().optional(),
});

const replySchema = z
  .strictObject({
    text: z.string().optional(),
    reasoning: z.string().optional(),
    calls: z.array(call).optional(),
    finishReason: z.enum(["stop", "length", "tool-calls", "refusal", "other"]).optional(),
    usage: z.strictObject({ inputTokens: z.int(), outputTokens: z.int() }).optional(),
    /** Instead of a reply. */
    error: z.strictObject({ code: z.string(), message: z.string(), isRetryable: z.boolean().optional() }).optional(),
    when: z.union([z.string(), condition]).optional(),
    /** Whether it may be given any number of times; else once. */
    repeat: z.boolean().optional(),
  })
  .refine((reply) => reply.text !== undefined || reply.calls !== undefined || reply.error !== undefined, {
    message: "needs text, calls or error",
  });

export type ScriptedReply = z.infer<typeof replySchema> & { readonly line: number };

/** ConfigError `script_invalid` with file, line and field. */
export function readScript(file: string): ScriptedReply[] {
  let text: string;
  try {
    if (!statSync(file).isFile()) throw new Error("it is no regular file");
    text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
  } catch (cause) {
    throw invalid(file, undefined, `the script can't be read: ${(cause as Error).message}`);
  }
  const isArray = text.trimStart().startsWith("[");
  return isArray ? readArray(file, text) : readLines(file, text);
}

function readArray(file: string, text: string): ScriptedReply[] {
  const values = parse(file, text, 1) as unknown[];
  return values.map((value, index) => check(file, 1, value, `[${index}]`));
}

function readLines(file: string, text: string): ScriptedReply[] {
  return text.split(/\r?\n/).flatMap((content, index) => {
    if (content.trim() === "") return [];
    return [check(file, index + 1, parse(file, content, index + 1), "")];
  });
}

function parse(file: string, text: string, firstLine: number): unknown {
  try {
    return parseJson(text, null, Number);
  } catch (cause) {
    const { message } = cause as Error;
    const position = /position (\d+)/.exec(message)?.[1];
    const before = position === undefined ? text : text.slice(0, Number(position));
    throw invalid(file, firstLine + before.split("\n").length - 1, `this is not JSON: ${message}`);
  }
}

function check(file: string, line: number, value: unknown, prefix: string): ScriptedReply {
  const parsed = replySchema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw invalid(
      file,
      line,
      issue?.message ?? "is no reply",
      [prefix, ...(issue?.path ?? [])].filter(String).join("."),
    );
  }
  const { when } = parsed.data;
  if (typeof when === "object" && when.matches !== undefined) {
    try {
      new RegExp(when.matches);
    } catch (cause) {
      throw invalid(file, line, (cause as Error).message, "when.matches");
    }
  }
  return { ...parsed.data, line };
}

function invalid(file: string, line: number | undefined, message: string, field?: string): ConfigError {
  return new ConfigError({
    code: "script_invalid",
    message,
    where: { file, ...(line !== undefined && { line }), ...(field && { field }) },
    remedy: 'write one reply a line: {"text": "…", "calls": [{"name": "…", "arguments": {…}}], "when": "…"}',
  });
}
