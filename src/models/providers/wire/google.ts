// Google's generateContent, whole or in pieces (each piece is an answer of its own that continues the one before).
import { stringify } from "lossless-json";
import { z } from "zod";
import type { ModelCall, ModelReply, Usage } from "../../../contract/index.ts";
import { failedAnswer } from "../failures.ts";
import { finishReasonOf } from "./finish-reason.ts";
import { readBody } from "./read-body.ts";
import { serverSentEvents } from "./server-sent-events.ts";

const count = z.coerce.number().nullish();
const partSchema = z.looseObject({
  text: z.string().nullish(),
  thought: z.boolean().nullish(),
  functionCall: z.looseObject({ id: z.string().nullish(), name: z.string(), args: z.unknown().optional() }).nullish(),
});
const bodySchema = z.looseObject({
  modelVersion: z.string().nullish(),
  promptFeedback: z.looseObject({ blockReason: z.string().nullish() }).nullish(),
  candidates: z
    .array(
      z.looseObject({
        content: z.looseObject({ parts: z.array(partSchema).nullish() }).nullish(),
        finishReason: z.string().nullish(),
      }),
    )
    .nullish(),
  usageMetadata: z
    .looseObject({
      promptTokenCount: count,
      candidatesTokenCount: count,
      thoughtsTokenCount: count,
      cachedContentTokenCount: count,
    })
    .nullish(),
});
type Body = z.infer<typeof bodySchema>;

export function readGoogle(body: string, isStream: boolean): ModelReply {
  const bodies = (isStream ? serverSentEvents(body) : [body]).map((text) => readBody(bodySchema, text, null));
  const candidates = bodies.flatMap(({ candidates }) => candidates?.slice(0, 1) ?? []);
  const usage = usageOf(bodies.findLast(({ usageMetadata }) => usageMetadata)?.usageMetadata);
  const finish = candidates.findLast(({ finishReason }) => finishReason)?.finishReason ?? null;
  const blocked = bodies.find(({ promptFeedback }) => promptFeedback?.blockReason);
  if (blocked)
    throw failedAnswer("content_filter", `the endpoint blocked it: ${blocked.promptFeedback?.blockReason}`, usage);
  if (finish === null) throw failedAnswer("truncated", "the answer ended without saying so", usage);
  const parts = candidates.flatMap(({ content }) => content?.parts ?? []);
  const join = (isThought: boolean) =>
    parts
      .filter(({ thought }) => (thought ?? false) === isThought)
      .map(({ text }) => text ?? "")
      .join("");
  const calls: ModelCall[] = parts.flatMap(({ functionCall }, place) =>
    functionCall
      ? [
          {
            id: functionCall.id ?? `call_${place}`,
            name: functionCall.name,
            argumentsText: stringify(functionCall.args ?? {}) ?? "{}",
          },
        ]
      : [],
  );
  const text = join(false);
  return {
    text,
    reasoning: join(true) || null,
    calls,
    finishReason: finishReasonOf(finish, calls.length, text),
    usage,
    model: { id: bodies.at(-1)?.modelVersion ?? "", revision: null },
  };
}

function usageOf(usage: Body["usageMetadata"]): Usage {
  const { promptTokenCount, candidatesTokenCount, thoughtsTokenCount, cachedContentTokenCount } = usage ?? {};
  return {
    inputTokens: promptTokenCount ?? null,
    cachedInputTokens: cachedContentTokenCount ?? null,
    outputTokens: typeof candidatesTokenCount === "number" ? candidatesTokenCount + (thoughtsTokenCount ?? 0) : null,
    reasoningTokens: thoughtsTokenCount ?? null,
    costUsd: null,
  };
}
