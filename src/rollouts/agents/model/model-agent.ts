// A tool-calling loop around any model. Everything that the policy wrote stands in the trajectory, byte for byte.
import { readFileSync } from "node:fs";
import {
  type Cause,
  ModelError,
  type ModelMessage,
  type ModelProvider,
  type ModelReply,
  type ModelRequest,
  type Sampling,
  type Usage,
} from "../../../contract/index.ts";
import { type Agent, AgentLimit, type AgentSession } from "../../agent.ts";
import { fitContext, requestLength } from "./fit-context.ts";
import { readCall } from "./read-call.ts";

export type ModelAgentOptions = {
  readonly model: ModelProvider;
  readonly sampling?: Sampling;
  /** Which of several episodes of the same task this is; it is part of every request. */
  readonly sample?: number;
  /** Tokens of the model's context; the answer has its place in it. Default 32,000. */
  readonly contextTokens?: number;
  /** What is kept of it for an answer, half of it at most. Default 2,000, or a quarter of a small context. */
  readonly answerTokens?: number;
  /** Answers at most. Default 100. */
  readonly maximumTurns?: number;
};

const system = readFileSync(new URL("system.v1.md", import.meta.url), "utf8").trim();
/** Until a reply tells how many tokens a request had. */
const startingTokensPerCharacter = 1 / 3;

/** An agent that asks `model` what to do until it submits, or answers twice in a row without a call. */
export function modelAgent(options: ModelAgentOptions): Agent {
  return {
    name: `model:${options.model.id}`,
    version: "1",
    run: (session) => new Conversation(options, session).run(),
  };
}

class Conversation {
  readonly #options: ModelAgentOptions;
  readonly #session: AgentSession;
  readonly #messages: ModelMessage[];
  readonly #ids = new Set<string>();
  #tokensPerCharacter = startingTokensPerCharacter;

  constructor(options: ModelAgentOptions, session: AgentSession) {
    this.#options = options;
    this.#session = session;
    this.#messages = [{ role: "user", text: session.initial.text }];
  }

  async run(): Promise<void> {
    const turns = this.#options.maximumTurns ?? 100;
    let silent = 0;
    for (let turn = 1; turn <= turns; turn++) {
      const reply = await this.#ask();
      this.#messages.push({ role: "assistant", text: reply.text, calls: reply.calls });
      silent = reply.calls.length > 0 ? 0 : silent + 1;
      if (await this.#perform(reply, turn)) return;
      if (silent === 2) return;
    }
    throw new AgentLimit({ code: "turn_limit", message: `the model answered ${turns} times`, limit: turns });
  }

  /** Every call of an answer is a step, in its order. Resolves to whether the episode is over. */
  async #perform(reply: ModelReply, turn: number): Promise<boolean> {
    const answer = {
      turn,
      text: reply.text,
      reasoning: reply.reasoning,
      finish_reason: reply.finishReason,
      model: { ...reply.model },
    };
    const tokens = tokensOf(reply.usage);
    if (reply.calls.length === 0) {
      const problem = "no tool was called: call a tool to go on, or submit to end the work";
      const { terminated, truncated, observation } = await this.#session.step({
        id: this.#freshId(`turn-${turn}`),
        written: answer,
        action: null,
        problem,
        tokens,
      });
      this.#messages.push({ role: "user", text: observation.text });
      return terminated || truncated;
    }
    for (const [index, call] of reply.calls.entries()) {
      const read = readCall(call);
      const written = { ...(index === 0 ? answer : { turn }), call: { ...call } };
      const { terminated, truncated, observation, info } = await this.#session.step({
        id: this.#freshId(call.id || `turn-${turn}-${index + 1}`),
        written,
        action: "action" in read ? read.action : null,
        ...("problem" in read ? { problem: read.problem } : {}),
        ...(index === 0 ? { tokens } : {}),
      });
      this.#messages.push({
        role: "tool",
        callId: call.id,
        text: observation.text,
        isError: info.error !== undefined,
      });
      if (terminated || truncated) return true;
    }
    return false;
  }

  /** Asks once more with a shorter conversation when the model says that it was too long. */
  async #ask(): Promise<ModelReply> {
    const { contextTokens = 32_000, answerTokens = Math.min(2_000, contextTokens / 4) } = this.#options;
    let room = Math.floor(contextTokens - Math.min(answerTokens, contextTokens / 2));
    for (let again = false; ; again = true) {
      const request = this.#request(room);
      try {
        const reply = await this.#options.model.complete(request, { signal: this.#session.signal });
        const { inputTokens } = reply.usage;
        if (inputTokens) this.#tokensPerCharacter = inputTokens / requestLength(request);
        return reply;
      } catch (error) {
        if (!ModelError.isInstance(error)) throw error;
        if (error.code === "content_filter") throw new AgentLimit({ code: error.code, message: error.message });
        if (error.code !== "context_overflow") throw error;
        if (again) throw new AgentLimit(contextLimit(room));
        room = Math.floor(Math.min(room, requestLength(request) * this.#tokensPerCharacter) / 2);
      }
    }
  }

  #request(room: number): ModelRequest {
    const { sampling, sample } = this.#options;
    const whole: ModelRequest = {
      system,
      messages: this.#messages,
      tools: this.#session.tools,
      toolChoice: "auto",
      ...(sampling ? { sampling } : {}),
      ...(sample === undefined ? {} : { sample }),
    };
    const fitted = fitContext(whole, { tokens: room, tokensPerCharacter: this.#tokensPerCharacter });
    if (fitted) return fitted;
    throw new AgentLimit(contextLimit(room));
  }

  /** Some servers number the calls of every answer anew; in a trajectory an id stands once. */
  #freshId(id: string): string {
    let fresh = id;
    for (let count = 2; this.#ids.has(fresh); count++) fresh = `${id}#${count}`;
    this.#ids.add(fresh);
    return fresh;
  }
}

const contextLimit = (tokens: number): Cause => ({
  code: "context_limit",
  message: `the conversation doesn't fit into ${tokens} tokens`,
  limit: tokens,
});

const tokensOf = (usage: Usage) => ({
  prompt: usage.inputTokens,
  completion: usage.outputTokens,
  cached: usage.cachedInputTokens,
  reasoning: usage.reasoningTokens,
  costUsd: usage.costUsd,
});
