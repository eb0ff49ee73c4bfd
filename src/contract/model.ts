import type { z } from "zod";

export type Usage = {
  readonly inputTokens: number | null;
  readonly cachedInputTokens: number | null;
  readonly outputTokens: number | null;
  readonly reasoningTokens: number | null;
  /** null when the price is unknown, never 0 for that. */
  readonly costUsd: number | null;
};

/** Authors, designers and judges: schema in, typed value and usage out. Errors: ModelError. */
export interface ChatModel {
  readonly id: string;
  generate<T>(request: {
    system?: string;
    prompt: string;
    schema: z.ZodType<T>;
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
