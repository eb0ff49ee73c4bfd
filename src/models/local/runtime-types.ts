// The part of node-llama-cpp that is used here. Types only: the package itself is loaded when a local model is opened.
import type { JsonObject } from "../../contract/index.ts";

export type Grammar = { readonly grammar: string };
export type HistoryItem =
  | { type: "system"; text: string }
  | { type: "user"; text: string }
  | { type: "model"; response: string[] };
export type Sequence = {
  readonly tokenMeter: {
    getState(): unknown;
    diff(before: unknown): { usedInputTokens: number; usedOutputTokens: number };
  };
  clearHistory(): Promise<void>;
};
export type Context = {
  readonly contextSize: number;
  getSequence(): Sequence;
  dispose(): Promise<void>;
};
export type Model = {
  readonly trainContextSize: number;
  readonly tokenizer: unknown;
  createContext(options: { contextSize: number; threads: number }): Promise<Context>;
  dispose(): Promise<void>;
};
type Engine = {
  loadModel(options: { modelPath: string }): Promise<Model>;
  createGrammarForJsonSchema(schema: JsonObject): Promise<Grammar>;
  dispose(): Promise<void>;
};
type Response = { response: string; metadata: { stopReason: string } };

export declare function getLlama(options: {
  build: "never";
  gpu: "auto" | false;
  logLevel: string;
  progressLogs: false;
}): Promise<Engine>;

export declare class LlamaChat {
  constructor(options: { contextSequence: Sequence });
  readonly chatWrapper: {
    generateContextState(options: { chatHistory: HistoryItem[] }): {
      contextText: { tokenize(tokenizer: unknown): readonly number[] };
    };
  };
  generateResponse(
    history: HistoryItem[],
    options: {
      grammar?: Grammar;
      maxTokens: number;
      temperature: number;
      topP?: number;
      seed?: number;
      customStopTriggers?: string[];
      signal?: AbortSignal;
    },
  ): Promise<Response>;
  dispose(): void;
}
