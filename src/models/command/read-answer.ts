// What a program answered: text, or calls in the protocol {"text": …, "calls": [{"name": …, "arguments": {…}}]}.
import { parse, stringify } from "lossless-json";
import { z } from "zod";
import type { ModelCall } from "../../contract/index.ts";

export type Answer = { readonly text: string; readonly calls: readonly Omit<ModelCall, "id">[] };

const protocol = z.strictObject({
  text: z.string().optional(),
  calls: z.array(z.strictObject({ name: z.string(), arguments: z.unknown() })).optional(),
});

/** Numbers in arguments keep their digits. What doesn't fit the protocol is text. */
export function readAnswer(output: string): Answer {
  const text = output.replace(/\r?\n$/, "");
  const body = /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(text)?.[1] ?? text;
  if (!/^\s*\{/.test(body)) return { text, calls: [] };
  let value: unknown;
  try {
    value = parse(body);
  } catch {
    return { text, calls: [] };
  }
  const parsed = protocol.safeParse(value);
  if (!parsed.success || (parsed.data.text === undefined && parsed.data.calls === undefined))
    return { text, calls: [] };
  return {
    text: parsed.data.text ?? "",
    calls: (parsed.data.calls ?? []).map((call) => ({ name: call.name, argumentsText: argumentsText(call.arguments) })),
  };
}

function argumentsText(value: unknown): string {
  return typeof value === "string" ? value : (stringify(value ?? {}) ?? "{}");
}
