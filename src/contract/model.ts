import type { z } from "zod";
import type { ToolSpec } from "./environment.ts";
import type { JsonObject } from "./json.ts";

export type Usage = {
  readonly inputTokens: number | null;
  readonly cachedInputTokens: number | null;
  readonly outputTokens: number | null;
  readonly reasoningTokens: number | null;
  /** null when the price is unknown, never 0 for that. */
  readonly costUsd: number | null;
};

/** A tool call as the model wrote it. `argumentsText` is what came over the wire, byte for byte, valid JSON or not. */
export type ModelCall = { readonly id: string; readonly name: string; readonly argumentsText: string };

export type ModelMessage =
  | { readonly role: "user"; readonly text: string }
  | { readonly role: "assistant"; readonly text: string; readonly calls: readonly ModelCall[] }
  | { readonly role: "tool"; readonly callId: string; readonly text: string; readonly isError: boolean };

/** What was not set is left to the provider: it is not the same as any value, 0 included. */
export type Sampling = {
  readonly temperature?: number;
  readonly topP?: number;
  readonly seed?: number;
  readonly maximumTokens?: number;
  readonly stop?: readonly string[];
};

/** One call of a model, whole: everything that could change the answer is in it. */
export type ModelRequest = {
  readonly system?: string;
  readonly messages: readonly ModelMessage[];
  readonly tools?: readonly ToolSpec[];
  readonly toolChoice?: "auto" | "none" | "required";
  /** JSON Schema that the answer's text is to satisfy. */
  readonly schema?: JsonObject;
  readonly sampling?: Sampling;
  /** Which of several answers to the same request this is; 0 when there is one. */
  readonly sample?: number;
};

export type ModelReply = {
  readonly text: string;
  readonly reasoning: string | null;
  readonly calls: readonly ModelCall[];
  readonly finishReason: "stop" | "length" | "tool-calls" | "refusal" | "other";
  readonly usage: Usage;
  /** The model that answered, as the provider names it, and its revision where it tells one. */
  readonly model: { readonly id: string; readonly revision: string | null };
};

/** What a provider implements and every middleware wraps. Errors: ModelError. */
export interface ModelProvider {
  readonly id: string;
  complete(request: ModelRequest, options?: { signal?: AbortSignal }): Promise<ModelReply>;
}

/** Agents, authors, designers and judges. Errors: ModelError. */
export interface ChatModel extends ModelProvider {
  /** Schema in, typed value and usage out; an answer that doesn't fit is sent back once with what is wrong. */
  generate<T>(request: {
    system?: string;
    prompt: string;
    schema: z.ZodType<T>;
    sampling?: Sampling;
    sample?: number;
    signal?: AbortSignal;
  }): Promise<{ value: T; usage: Usage }>;
}

export type Sample = {
  readonly completionIds: Int32Array;
  readonly logProbabilities: Float32Array;
  readonly finishReason: "stop" | "length";
  readonly policyVersion: string;
};

/** The policy that is trained: token ids in, ids and log-probabilities out. Errors: ModelError. */
export interface PolicyModel {
  readonly id: string;
  sample(request: {
    promptIds: Int32Array;
    count: number;
    temperature: number;
    maximumTokens: number;
    signal?: AbortSignal;
  }): Promise<Sample[]>;
}
