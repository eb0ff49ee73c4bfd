// A model behind an HTTP endpoint. The AI SDK writes the request in the endpoint's dialect; the answer is read from the
// wire by us, so that calls stay apart, text stays exact, and a fault of the endpoint never looks like an answer.
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV3 } from "@ai-sdk/provider";
import { ConfigError, type ModelProvider, type ModelReply } from "../../contract/index.ts";
import { callOptions } from "./call-options.ts";
import { Exchange, type Limits } from "./exchange.ts";
import { readAnthropic } from "./wire/anthropic.ts";
import { readGoogle } from "./wire/google.ts";
import { readOpenAi } from "./wire/openai.ts";

export type HttpModelKind = "openai" | "anthropic" | "google" | "openai-compatible";

export type HttpModelOptions = {
  readonly kind: HttpModelKind;
  readonly model: string;
  /** Base of the endpoint; required for `openai-compatible`, the maker's own otherwise. */
  readonly url?: string;
  /** null: the endpoint asks for none. It is sent, and never told to anybody else. */
  readonly key: string | null;
  /** Ask for the answer in pieces. Default false. */
  readonly stream?: boolean;
  readonly limits?: Partial<Limits>;
};

const readers: Record<HttpModelKind, (body: string, isStream: boolean) => ModelReply> = {
  openai: readOpenAi,
  "openai-compatible": readOpenAi,
  anthropic: readAnthropic,
  google: readGoogle,
};

/** Every fault is a ModelError with a stable code; docs/models.md lists them. */
export function httpProvider(options: HttpModelOptions): ModelProvider {
  const { kind, model, url, stream = false } = options;
  if (kind === "openai-compatible" && url === undefined)
    throw new ConfigError({
      code: "url_missing",
      message: `the model ${model} is behind an OpenAI-compatible endpoint, and no URL is given`,
      remedy: "give url in its profile, or openai-compatible:NAME@URL",
    });
  const id = `${kind}:${model}`;
  return {
    id,
    async complete(request, call) {
      const exchange = new Exchange(options, call?.signal);
      const sdk = languageModel(options, exchange.fetch);
      const wanted = callOptions(request, kind, exchange.signal);
      return exchange.run(
        async () => {
          if (!stream) return void (await sdk.doGenerate(wanted));
          const { stream: parts } = await sdk.doStream(wanted);
          for await (const part of parts as AsyncIterable<{ type: string; error?: unknown }>)
            if (part.type === "error") throw part.error;
        },
        (body) => readers[kind](body, stream),
      );
    },
  };
}

function languageModel({ kind, model, url, key }: HttpModelOptions, fetch: typeof globalThis.fetch): LanguageModelV3 {
  const common = { apiKey: key ?? "none", fetch, ...(url ? { baseURL: url.replace(/\/+$/, "") } : {}) };
  if (kind === "anthropic") return createAnthropic(common)(model);
  if (kind === "google") return createGoogleGenerativeAI(common)(model);
  if (kind === "openai") return createOpenAI(common).chat(model);
  const { apiKey, ...rest } = common;
  return createOpenAICompatible({
    name: "endpoint",
    ...rest,
    baseURL: rest.baseURL as string,
    ...(key === null ? {} : { apiKey }),
    includeUsage: true,
    supportsStructuredOutputs: true,
  })(model);
}
