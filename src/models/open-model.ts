// A model by its name on the command line or in routesetter.toml, with its middlewares in their fixed order:
// budget → cassette → rate limit → retry → trace → provider.
import { resolve } from "node:path";
import {
  type ChatModel,
  ConfigError,
  type ModelProvider,
  type ModelRequest,
  type Sampling,
} from "../contract/index.ts";
import { type Cassette, withCassette } from "./cassette/index.ts";
import { chatModel } from "./chat-model.ts";
import { commandProvider } from "./command/index.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import { type Ledger, withBudget } from "./ledger/index.ts";
import { findPrice, freePrice, type Price } from "./prices/index.ts";
import { type ModelProfile, modelProfileSchema } from "./profile.ts";
import type { HttpModelKind } from "./providers/index.ts";
import { RateLimiter, withRateLimit } from "./rate-limit.ts";
import type { ModelIdentity } from "./request-key.ts";
import { type WithRetryOptions, withRetry } from "./retry.ts";
import { scriptProvider } from "./script/index.ts";
import { type TraceEvent, withTrace } from "./trace.ts";

export type OpenModelOptions = {
  /** `[models.NAME]` of the configuration. */
  readonly profiles?: Readonly<Record<string, ModelProfile>>;
  /** Where keys are looked up. Default: this process's environment. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** What relative files are relative to. Default: the working directory. */
  readonly directory?: string;
  readonly cassette?: Cassette | null;
  readonly ledger?: Ledger | null;
  /** What the calls are for, as the ledger counts them. Default "model". */
  readonly purpose?: string;
  readonly onTrace?: (event: TraceEvent) => void;
  /** How long is waited between attempts. */
  readonly retry?: Pick<WithRetryOptions, "baseMilliseconds" | "capMilliseconds" | "seed">;
};

export type OpenModel = {
  readonly model: ChatModel;
  readonly profile: ModelProfile;
  /** null: unknown. */
  readonly price: Price | null;
  /** Texts that nothing may be written with. */
  readonly secrets: readonly string[];
  close(): Promise<void>;
};

/** Of a model that runs here, where its profile says nothing. */
export const localContextTokens = 4_096;

const usualKeys: Partial<Record<ModelProfile["provider"], string>> = {
  openai: "OPENAI_API_KEY",
  anthropic: "ANTHROPIC_API_KEY",
  google: "GOOGLE_GENERATIVE_AI_API_KEY",
};
const providers = modelProfileSchema.shape.provider.options;

/**
 * `openai:NAME`, `anthropic:NAME`, `google:NAME`, `openai-compatible:NAME@URL`, `command:PROGRAM`, `script:FILE`,
 * `local:FILE.gguf`, or a profile's name. Errors: ConfigError `unknown_model`, `key_missing`, `url_missing`.
 */
export async function openModel(spec: string, options: OpenModelOptions = {}): Promise<OpenModel> {
  const profile = profileOf(spec, options.profiles ?? {});
  const secret = keyOf(spec, profile, options.environment ?? process.env);
  const { provider, close } = await providerOf(profile, secret, options);
  const identity: ModelIdentity = {
    kind: profile.provider,
    provider: profile.url ?? profile.provider,
    model: profile.model,
    revision: null,
  };
  const price = priceOf(profile);
  const limiter = new RateLimiter({
    requestsPerMinute: profile.requests_per_minute,
    tokensPerMinute: profile.tokens_per_minute,
  });
  let layered = options.onTrace ? withTrace(provider, { identity, sink: options.onTrace }) : provider;
  layered = withRetry(layered, { attempts: profile.attempts, limiter, ...options.retry });
  layered = withRateLimit(layered, { limiter, estimateTokens: tokensOf });
  if (options.cassette) layered = withCassette(layered, { cassette: options.cassette, identity });
  if (options.ledger)
    layered = withBudget(layered, {
      ledger: options.ledger,
      model: provider.id,
      purpose: options.purpose ?? "model",
      price,
      ...(options.cassette ? { isFree: (request) => options.cassette?.holds(identity, request) === true } : {}),
    });
  layered = withSampling(layered, samplingOf(profile));
  return { model: chatModel(layered), profile, price, secrets: secret === null ? [] : [secret], close };
}

function profileOf(spec: string, profiles: Readonly<Record<string, ModelProfile>>): ModelProfile {
  const named = Object.hasOwn(profiles, spec) ? profiles[spec] : undefined;
  if (named) return named;
  const [, provider, rest] = /^([a-z-]+):(.+)$/s.exec(spec) ?? [];
  if (rest !== undefined && (providers as readonly string[]).includes(provider as string)) {
    const [, model, url] = provider === "openai-compatible" ? (/^(.+)@(https?:.+)$/s.exec(rest) ?? []) : [];
    const parsed = modelProfileSchema.safeParse({ provider, model: model ?? rest, ...(url ? { url } : {}) });
    if (parsed.success) return parsed.data;
  }
  const names = Object.keys(profiles);
  throw new ConfigError({
    code: "unknown_model",
    message: `there is no model "${spec}"`,
    remedy: `take ${providers.map((name) => `${name}:…`).join(", ")}, or a profile of routesetter.toml (${names.length > 0 ? names.join(", ") : "there is none yet"}): docs/models.md`,
  });
}

function keyOf(
  spec: string,
  profile: ModelProfile,
  environment: Readonly<Record<string, string | undefined>>,
): string | null {
  const variable = profile.key_env ?? usualKeys[profile.provider];
  if (variable === undefined) return null;
  const key = environment[variable]?.trim();
  if (key) return key;
  throw new ConfigError({
    code: "key_missing",
    message: `the model ${spec} needs a key, and the variable ${variable} is not set`,
    remedy: `export ${variable}=…, or name another variable as key_env in the model's profile`,
  });
}

/** What speaks HTTP or runs a model is loaded here, when one is opened: commands without a model don't wait for it. */
async function providerOf(
  profile: ModelProfile,
  key: string | null,
  { directory = process.cwd(), purpose, environment }: OpenModelOptions,
): Promise<{ provider: ModelProvider; close: () => Promise<void> }> {
  const { provider: kind, model, url, stream } = profile;
  const close = async () => {};
  if (kind === "script") {
    const file = resolve(directory, model);
    return { provider: scriptProvider({ file, ...(purpose ? { stage: purpose } : {}) }), close };
  }
  if (kind === "local") {
    const { localProvider } = await import("./local/index.ts");
    const local = localProvider({
      file: resolve(directory, model),
      runtime: profile.runtime,
      contextTokens: profile.context_tokens,
      threads: profile.threads,
    });
    return { provider: local, close: () => local.close() };
  }
  if (kind === "command")
    return {
      provider: commandProvider({
        command: model,
        format: profile.format,
        environment: profile.pass_env,
        timeoutMilliseconds: profile.timeout_sec * 1000,
        ...(environment ? { from: environment } : {}),
      }),
      close,
    };
  const { httpProvider } = await import("./providers/index.ts");
  return {
    provider: httpProvider({
      kind: kind as HttpModelKind,
      model,
      key,
      stream,
      ...(url ? { url } : {}),
      limits: limitsOf(profile),
    }),
    close,
  };
}

function tokensOf(request: ModelRequest): number {
  const { inputTokens, outputTokens } = estimateTokens(request);
  return inputTokens + outputTokens;
}

const limitsOf = ({ timeout_sec, idle_timeout_sec }: ModelProfile) => ({
  totalMilliseconds: timeout_sec * 1000,
  idleMilliseconds: idle_timeout_sec * 1000,
});

function samplingOf({ temperature, top_p, max_tokens, seed, stop }: ModelProfile): Sampling {
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(top_p === undefined ? {} : { topP: top_p }),
    ...(max_tokens === undefined ? {} : { maximumTokens: max_tokens }),
    ...(seed === undefined ? {} : { seed }),
    ...(stop === undefined ? {} : { stop }),
  };
}

/** What a request sets itself stands before what the profile says; it is part of the request from here on. */
function withSampling(provider: ModelProvider, usual: Sampling): ModelProvider {
  if (Object.keys(usual).length === 0) return provider;
  return {
    id: provider.id,
    complete: (request: ModelRequest, options) =>
      provider.complete({ ...request, sampling: { ...usual, ...request.sampling } }, options),
  };
}

function priceOf(profile: ModelProfile): Price | null {
  const { provider, model, url, input_price, cached_input_price, output_price } = profile;
  if (input_price !== undefined && output_price !== undefined)
    return {
      inputUsdPerMillion: input_price,
      cachedInputUsdPerMillion: cached_input_price ?? null,
      outputUsdPerMillion: output_price,
      source: "the model's profile",
    };
  if (provider === "script" || provider === "local") return freePrice;
  return url === undefined ? findPrice(provider, model) : null;
}
