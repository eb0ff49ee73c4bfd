// OpenAI's chat completions, as many servers speak them, whole or in pieces.
import { LosslessNumber, stringify } from "lossless-json";
import { z } from "zod";
import type { ModelCall, ModelReply, Usage } from "../../../contract/index.ts";
import { unknownUsage } from "../../usage.ts";
import { codeOf, failedAnswer } from "../failures.ts";
import { finishReasonOf } from "./finish-reason.ts";
import { readBody } from "./read-body.ts";
import { serverSentEvents } from "./server-sent-events.ts";

const count = z.number().nullish();
const usageSchema = z.looseObject({
  prompt_tokens: count,
  completion_tokens: count,
  prompt_tokens_details: z.looseObject({ cached_tokens: count }).nullish(),
  completion_tokens_details: z.looseObject({ reasoning_tokens: count }).nullish(),
});
const callSchema = z.looseObject({
  index: z.number().nullish(),
  id: z.string().nullish(),
  function: z.looseObject({ name: z.string().nullish(), arguments: z.unknown().optional() }).nullish(),
});
const messageSchema = z.looseObject({
  content: z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]).nullish(),
  refusal: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  reasoning: z.string().nullish(),
  tool_calls: z.array(callSchema).nullish(),
});
const bodySchema = z.looseObject({
  error: z.unknown().optional(),
  model: z.string().nullish(),
  system_fingerprint: z.string().nullish(),
  usage: usageSchema.nullish(),
  choices: z
    .array(
      z.looseObject({
        message: messageSchema.nullish(),
        delta: messageSchema.nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
});
type Body = z.infer<typeof bodySchema>;
type Call = { id: string; name: string; text: string; index: number | null };

export function readOpenAi(body: string, isStream: boolean): ModelReply {
  return isStream ? readStream(body) : readWhole(body);
}

function readWhole(body: string): ModelReply {
  const value = parseBody(body);
  const reply = new Assembly();
  reply.addWhole(value);
  if (!value.choices?.length) throw failedAnswer("invalid_answer", "the answer has no choices", reply.usage);
  return reply.finish();
}

function readStream(body: string): ModelReply {
  const reply = new Assembly();
  let ended = false;
  for (const data of serverSentEvents(body)) {
    if (data.trim() === "[DONE]") {
      ended = true;
      break;
    }
    const value = parseBody(data, reply.usage);
    reply.add(value, value.choices?.[0]?.delta);
    ended ||= typeof value.choices?.[0]?.finish_reason === "string";
  }
  // A stream that ends without saying so was cut: what came so far is no answer.
  if (!ended) throw failedAnswer("truncated", "the stream ended before the answer did", reply.usage);
  return reply.finish();
}

function parseBody(text: string, usage: Usage | null = null): Body {
  const body = readBody(bodySchema, text, usage, exactNumber);
  if (body.error) {
    const { message, code } = body.error as { message?: unknown; code?: unknown };
    const said = String(message ?? JSON.stringify(body.error)).slice(0, 500);
    const status = typeof code === "number" ? code : 500;
    throw failedAnswer(codeOf(status, said), `the endpoint reports an error: ${said}`, usage);
  }
  return body;
}

/** Arguments may come as an object: a number that would be rounded keeps its digits. */
const exactNumber = (digits: string) =>
  Number.isSafeInteger(Number(digits)) || !/^-?\d+$/.test(digits) ? Number(digits) : new LosslessNumber(digits);

class Assembly {
  usage: Usage | null = null;
  #text = "";
  #reasoning = "";
  #refused = "";
  #finish: string | null = null;
  #model = "";
  #revision: string | null = null;
  readonly #calls: Call[] = [];

  /** In a whole answer every entry is a call, whatever ids it has. */
  addWhole(body: Body): void {
    const message = body.choices?.[0]?.message;
    this.add(body, message && { ...message, tool_calls: [] });
    for (const { id, function: of } of message?.tool_calls ?? [])
      this.#calls.push({ id: id ?? "", name: of?.name ?? "", text: textOf(of?.arguments), index: null });
  }

  add(body: Body, part: z.infer<typeof messageSchema> | null | undefined): void {
    this.#model ||= body.model ?? "";
    this.#revision ??= body.system_fingerprint ?? null;
    this.#finish = body.choices?.[0]?.finish_reason ?? this.#finish;
    if (body.usage) this.usage = usageOf(body.usage);
    const content = part?.content;
    this.#text += typeof content === "string" ? content : (content ?? []).map(({ text }) => text ?? "").join("");
    this.#reasoning += part?.reasoning_content ?? part?.reasoning ?? "";
    this.#refused += part?.refusal ?? "";
    for (const call of part?.tool_calls ?? []) this.#addCall(call);
  }

  /** By index where there is one; some servers number every call 0 and tell them apart by id alone, some leave both out. */
  #addCall({ index = null, id, function: of }: z.infer<typeof callSchema>): void {
    const text = textOf(of?.arguments);
    const name = of?.name ?? "";
    const place = this.#calls.findLast((call) =>
      index === null ? !id || call.id === id : call.index === index && (!id || !call.id || call.id === id),
    );
    // Another name is another call, where nothing else tells them apart.
    const known = place && name !== "" && place.name !== "" && place.name !== name ? undefined : place;
    if (!known) {
      this.#calls.push({ id: id ?? "", name, text, index });
      return;
    }
    known.id ||= id ?? "";
    known.name ||= name;
    known.text += text;
  }

  finish(): ModelReply {
    const calls: ModelCall[] = this.#calls.map(({ id, name, text }, place) => ({
      id: id || `call_${place}`,
      name,
      argumentsText: text,
    }));
    const text = this.#text || this.#refused;
    return {
      text,
      reasoning: this.#reasoning || null,
      calls,
      finishReason: this.#refused ? "refusal" : finishReasonOf(this.#finish, calls.length, text),
      usage: this.usage ?? unknownUsage,
      model: { id: this.#model, revision: this.#revision },
    };
  }
}

const textOf = (written: unknown): string =>
  typeof written === "string" ? written : written == null ? "" : (stringify(written) ?? "");

function usageOf(usage: z.infer<typeof usageSchema>): Usage {
  return {
    inputTokens: usage.prompt_tokens ?? null,
    cachedInputTokens: usage.prompt_tokens_details?.cached_tokens ?? null,
    outputTokens: usage.completion_tokens ?? null,
    reasoningTokens: usage.completion_tokens_details?.reasoning_tokens ?? null,
    costUsd: null,
  };
}
