// A language model in a GGUF file, run in this process. Its answers are held to a grammar where tools or a schema ask for it.
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { basename } from "node:path";
import {
  ConfigError,
  ModelError,
  type ModelProvider,
  type ModelReply,
  type ModelRequest,
} from "../../contract/index.ts";
import { answerSchema, grammarSchema } from "./grammar-schema.ts";
import { loadRuntime } from "./load-runtime.ts";
import { renderHistory } from "./render-history.ts";
import type { Context, Grammar, HistoryItem, Sequence } from "./runtime-types.ts";

export type LocalOptions = {
  /** The GGUF file. */
  readonly file: string;
  /** Where node-llama-cpp was installed; see `loadRuntime`. */
  readonly runtime?: string | undefined;
  /** Default: what the model was trained for, at most 4,096. */
  readonly contextTokens?: number | undefined;
  /** Default 1: more are slower by far where other processes want the processors. */
  readonly threads?: number | undefined;
  readonly gpu?: boolean;
};

const defaultAnswerTokens = 512;

/** One answer at a time. The same request with a seed, or at temperature 0 (the default), has the same answer. */
export function localProvider(options: LocalOptions): ModelProvider & { close(): Promise<void> } {
  const { file } = options;
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new ConfigError({
      code: "local_model_missing",
      message: "there is no such model file",
      where: { file },
      remedy: "name a GGUF file",
    });
  requireGguf(file);
  const id = `local:${basename(file)}`;
  let opened: Promise<OpenModel> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let answered = 0;

  return {
    id,
    complete(request, call) {
      const turn = last.then(async () => {
        call?.signal?.throwIfAborted();
        opened ??= open(options);
        const answer = await generate(await opened, request, call?.signal);
        answered++;
        return toReply(answer, request, id, answered);
      });
      last = turn.catch(() => {});
      return turn;
    },
    async close() {
      await last;
      const model = await opened?.catch(() => null);
      opened = null;
      await model?.dispose();
    },
  };
}

/** A file that only looks like a model must not get as far as the runtime, which may read on in it without end. */
function requireGguf(file: string): void {
  const head = Buffer.alloc(8);
  const descriptor = openSync(file, "r");
  readSync(descriptor, head, 0, 8, 0);
  closeSync(descriptor);
  if (head.toString("latin1", 0, 4) === "GGUF" && [2, 3].includes(head.readUInt32LE(4))) return;
  throw new ConfigError({
    code: "local_model_invalid",
    message: "the file is no GGUF model of version 2 or 3",
    where: { file },
    remedy: "name a GGUF file",
  });
}

type Chat = InstanceType<Awaited<ReturnType<typeof loadRuntime>>["LlamaChat"]>;
type OpenModel = {
  readonly context: Context;
  readonly sequence: Sequence;
  newChat(): Chat;
  countTokens(chat: Chat, history: HistoryItem[]): number;
  grammar(request: ModelRequest): Promise<Grammar | null>;
  dispose(): Promise<void>;
};

async function open(options: LocalOptions): Promise<OpenModel> {
  const { getLlama, LlamaChat } = await loadRuntime(options.runtime);
  const llama = await getLlama({
    build: "never",
    gpu: options.gpu ? "auto" : false,
    logLevel: "error",
    progressLogs: false,
  });
  try {
    const model = await llama.loadModel({ modelPath: options.file });
    const contextSize = options.contextTokens ?? Math.min(model.trainContextSize, 4_096);
    const context = await model.createContext({ contextSize, threads: options.threads ?? 1 });
    const sequence = context.getSequence();
    return {
      context,
      sequence,
      newChat: () => new LlamaChat({ contextSequence: sequence }),
      countTokens: (chat, history) =>
        chat.chatWrapper.generateContextState({ chatHistory: history }).contextText.tokenize(model.tokenizer).length,
      grammar: async (request) => {
        const schema = schemaOf(request);
        return schema && llama.createGrammarForJsonSchema(schema);
      },
      dispose: () => llama.dispose(),
    };
  } catch (cause) {
    await llama.dispose();
    throw new ModelError({
      code: "local_model_unusable",
      message: `the model can't be loaded: ${(cause as Error).message}`,
      where: { file: options.file },
      remedy: "check that the file is a whole GGUF model and that memory is enough for it",
      cause,
    });
  }
}

const offersTools = ({ tools, toolChoice }: ModelRequest) => (tools?.length ?? 0) > 0 && toolChoice !== "none";

function schemaOf(request: ModelRequest) {
  if (offersTools(request)) return answerSchema(request.tools ?? [], request.toolChoice !== "required");
  return request.schema ? grammarSchema(request.schema) : null;
}

type Generated = { text: string; stopReason: string; inputTokens: number; outputTokens: number };

async function generate(model: OpenModel, request: ModelRequest, signal: AbortSignal | undefined): Promise<Generated> {
  const { temperature = 0, topP, seed = 0, maximumTokens = defaultAnswerTokens, stop } = request.sampling ?? {};
  const grammar = await model.grammar(request);
  await model.sequence.clearHistory();
  const chat = model.newChat();
  const before = model.sequence.tokenMeter.getState();
  const history = renderHistory(request);
  const inputTokens = model.countTokens(chat, history);
  const room = model.context.contextSize - inputTokens - 1;
  if (room < 1) {
    chat.dispose();
    throw new ModelError({
      code: "context_overflow",
      message: `the request has ${inputTokens} tokens, and the model's context ${model.context.contextSize}`,
      remedy: "send less, or open the model with a larger context",
    });
  }
  try {
    const { response, metadata } = await chat.generateResponse(history, {
      ...(grammar && { grammar }),
      maxTokens: Math.min(maximumTokens, room),
      temperature,
      // Which sample it is has to change the answer, and the same one has to give the same.
      seed: seed + (request.sample ?? 0),
      ...(topP !== undefined && { topP }),
      ...(stop && stop.length > 0 && { customStopTriggers: [...stop] }),
      ...(signal && { signal }),
    });
    const { usedOutputTokens } = model.sequence.tokenMeter.diff(before);
    return {
      text: response,
      stopReason: metadata.stopReason,
      inputTokens,
      outputTokens: usedOutputTokens,
    };
  } catch (error) {
    if (ModelError.isInstance(error) || signal?.aborted) throw error;
    throw new ModelError({ code: "local_model_failed", message: (error as Error).message, cause: error });
  } finally {
    chat.dispose();
  }
}

function toReply(answer: Generated, request: ModelRequest, id: string, answered: number): ModelReply {
  const read = offersTools(request) ? readCall(answer.text) : { text: answer.text, call: null };
  const calls = read.call ? [{ id: `local-${answered}`, ...read.call }] : [];
  const finishReason = answer.stopReason === "maxTokens" ? "length" : calls.length > 0 ? "tool-calls" : "stop";
  return {
    text: read.text,
    reasoning: null,
    calls,
    finishReason,
    usage: {
      inputTokens: answer.inputTokens,
      cachedInputTokens: 0,
      outputTokens: answer.outputTokens,
      reasoningTokens: 0,
      costUsd: 0,
    },
    model: { id, revision: null },
  };
}

/** An answer that was cut off is text: it is not a call yet. */
function readCall(text: string): { text: string; call: { name: string; argumentsText: string } | null } {
  try {
    const { tool, arguments: given, final } = JSON.parse(text) as Record<string, unknown>;
    if (typeof final === "string") return { text: final, call: null };
    if (typeof tool === "string") return { text: "", call: { name: tool, argumentsText: JSON.stringify(given) } };
  } catch {
    // Cut off by the limit on tokens.
  }
  return { text, call: null };
}
