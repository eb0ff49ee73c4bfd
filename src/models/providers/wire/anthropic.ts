// Anthropic's messages, whole or in pieces. Arguments come as an object there; their digits are kept.
import { stringify } from "lossless-json";
import { z } from "zod";
import type { ModelCall, ModelReply, Usage } from "../../../contract/index.ts";
import { codeOf, failedAnswer } from "../failures.ts";
import { finishReasonOf } from "./finish-reason.ts";
import { readBody } from "./read-body.ts";
import { serverSentEvents } from "./server-sent-events.ts";

const count = z.coerce.number().nullish();
const usageSchema = z.looseObject({
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
});
const blockSchema = z.looseObject({
  type: z.string(),
  text: z.string().nullish(),
  thinking: z.string().nullish(),
  id: z.string().nullish(),
  name: z.string().nullish(),
  input: z.unknown().optional(),
});
const messageSchema = z.looseObject({
  model: z.string().nullish(),
  content: z.array(blockSchema).nullish(),
  stop_reason: z.string().nullish(),
  usage: usageSchema.nullish(),
});
const eventSchema = z.looseObject({
  type: z.string(),
  index: z.coerce.number().optional(),
  message: messageSchema.optional(),
  content_block: blockSchema.optional(),
  delta: z
    .looseObject({
      text: z.string().nullish(),
      thinking: z.string().nullish(),
      partial_json: z.string().nullish(),
      stop_reason: z.string().nullish(),
    })
    .optional(),
  usage: usageSchema.optional(),
  error: z.looseObject({ type: z.string().optional(), message: z.string().optional() }).optional(),
});
type Block = { type: string; text: string; id: string; name: string; input: string };

export function readAnthropic(body: string, isStream: boolean): ModelReply {
  return isStream ? readStream(body) : readWhole(body);
}

function readWhole(body: string): ModelReply {
  const message = readBody(messageSchema, body, null);
  if (!message.content) throw failedAnswer("invalid_answer", "the answer has no content", usageOf(message.usage));
  const blocks = message.content.map((block) => opened(block));
  return replyOf(blocks, message.stop_reason ?? null, message.model ?? "", usageOf(message.usage));
}

function readStream(body: string): ModelReply {
  const blocks: Block[] = [];
  let usage: z.infer<typeof usageSchema> = {};
  let model = "";
  let stop: string | null = null;
  let ended = false;
  for (const data of serverSentEvents(body)) {
    const event = readBody(eventSchema, data, usageOf(usage));
    if (event.type === "error") {
      const status = event.error?.type === "rate_limit_error" ? 429 : 529;
      const said = event.error?.message ?? "";
      throw failedAnswer(codeOf(status, said), `the endpoint reports an error: ${said}`, usageOf(usage));
    }
    usage = { ...usage, ...event.message?.usage, ...event.usage };
    model ||= event.message?.model ?? "";
    const place = event.index ?? blocks.length;
    if (event.content_block) blocks[place] = { ...opened(event.content_block), input: "" };
    const block = blocks[place];
    if (event.type === "content_block_delta" && block) {
      block.text += event.delta?.text ?? event.delta?.thinking ?? "";
      block.input += event.delta?.partial_json ?? "";
    }
    stop = event.delta?.stop_reason ?? stop;
    ended ||= event.type === "message_stop";
  }
  if (!ended) throw failedAnswer("truncated", "the stream ended before the answer did", usageOf(usage));
  return replyOf(blocks.filter(Boolean), stop, model, usageOf(usage));
}

const opened = (block: z.infer<typeof blockSchema>): Block => ({
  type: block.type,
  text: block.text ?? block.thinking ?? "",
  id: block.id ?? "",
  name: block.name ?? "",
  input: block.input === undefined ? "" : (stringify(block.input) ?? ""),
});

function replyOf(blocks: Block[], stop: string | null, model: string, usage: Usage): ModelReply {
  const join = (type: string) =>
    blocks
      .filter((block) => block.type === type)
      .map(({ text }) => text)
      .join("");
  const calls: ModelCall[] = blocks
    .filter(({ type }) => type === "tool_use")
    .map(({ id, name, input }, place) => ({ id: id || `call_${place}`, name, argumentsText: input }));
  const text = join("text");
  return {
    text,
    reasoning: join("thinking") || null,
    calls,
    finishReason: finishReasonOf(stop, calls.length, text),
    usage,
    model: { id: model, revision: null },
  };
}

/** Input is told apart from what was read from or written to the cache; here it is the whole. */
function usageOf(usage: z.infer<typeof usageSchema> | null | undefined): Usage {
  const { input_tokens, output_tokens, cache_read_input_tokens: read, cache_creation_input_tokens: made } = usage ?? {};
  return {
    inputTokens: typeof input_tokens === "number" ? input_tokens + (read ?? 0) + (made ?? 0) : null,
    cachedInputTokens: read ?? null,
    outputTokens: output_tokens ?? null,
    reasoningTokens: null,
    costUsd: null,
  };
}
