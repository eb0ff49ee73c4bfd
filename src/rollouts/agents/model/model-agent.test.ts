import { describe, expect, it } from "vitest";
import {
  type Environment,
  type Judge,
  ModelError,
  type ModelProvider,
  type ModelReply,
  type ModelRequest,
  type Observation,
} from "../../../contract/index.ts";
import { runEpisode } from "../../episode.ts";
import { fitContext, requestLength } from "./fit-context.ts";
import { modelAgent } from "./model-agent.ts";
import { readCall } from "./read-call.ts";

const see = (text: string): Observation => ({ text, data: {} });
const usage = { inputTokens: 100, cachedInputTokens: 40, outputTokens: 10, reasoningTokens: null, costUsd: null };
const say = (text: string, ...calls: [name: string, argumentsText: string, id?: string][]): ModelReply => ({
  text,
  reasoning: text ? `because ${text}` : null,
  calls: calls.map(([name, argumentsText, id], index) => ({ id: id ?? `call_${index}`, name, argumentsText })),
  finishReason: calls.length > 0 ? "tool-calls" : "stop",
  usage,
  model: { id: "scripted-1", revision: null },
});

/** Scripted replies, labelled so; an error is thrown in a reply's place. */
function scripted(...replies: (ModelReply | Error)[]): ModelProvider & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    id: "scripted",
    requests,
    async complete(request) {
      requests.push(structuredClone(request));
      const reply = replies[requests.length - 1];
      if (reply === undefined) throw new Error("the script is over");
      if (reply instanceof Error) throw reply;
      return reply;
    },
  };
}

/** An environment that counts `add`s and ends at `submit`; every observation is `padding` longer. */
function counting(padding = 0): { environment: Environment; judge: Judge } {
  let count = 0;
  const environment: Environment = {
    kind: "counter",
    tools: [{ name: "add", description: "adds", parameters: {} }],
    reset: async () => see("Count to three."),
    step: async ({ name, arguments: words }) => {
      if (name === "add") count += Number(words.by ?? 1);
      const error = name === "add" || name === "submit" ? {} : { error: { code: "unknown_tool" } };
      const observation = see(`${count}${"x".repeat(padding)}`);
      return { observation, reward: 0, terminated: name === "submit", truncated: false, info: error };
    },
    observe: async () => see(String(count)),
    view: async () => count,
    snapshot: async () => ({ kind: "counter", digest: "", data: count }),
    restore: async () => {},
    close: async () => {},
  };
  const judge: Judge = {
    digest: "sha256:0",
    verdict: async () => ({
      success: count === 3,
      score: Number(count === 3),
      rewards: { reward: Number(count === 3) },
      checks: [{ name: "three", status: count === 3 ? "passed" : "failed" }],
    }),
  };
  return { environment, judge };
}
const task = { id: "counter", digest: "sha256:c" };
const play = (model: ModelProvider, options: Omit<Parameters<typeof modelAgent>[0], "model"> = {}, padding = 0) =>
  runEpisode({ ...counting(padding), agent: modelAgent({ model, ...options }), task, now: () => 0 });

describe("the model agent", () => {
  it("acts until it submits, and keeps what the policy wrote", async () => {
    const model = scripted(say("one", ["add", '{"by": 2}']), say("", ["add", " {} ", "b"], ["submit", "", "c"]));
    const { grading, trajectory } = await play(model, { sample: 3, sampling: { temperature: 0.5 } });
    expect(grading.outcome).toBe("success");
    expect(trajectory.steps.map(({ call }) => call)).toMatchObject([
      {
        id: "call_0",
        written: { turn: 1, text: "one", reasoning: "because one", call: { argumentsText: '{"by": 2}' } },
        action: { name: "add", arguments: { by: 2 } },
      },
      { id: "b", written: { turn: 2, call: { argumentsText: " {} " } }, action: { name: "add", arguments: {} } },
      { id: "c", written: { turn: 2 }, action: { name: "submit" } },
    ]);
    expect(trajectory.steps.map(({ tokens }) => tokens?.prompt ?? null)).toEqual([100, 100, null]);
    expect(trajectory.steps[0]?.tokens).toMatchObject({ cached: 40, costUsd: null });
    expect(model.requests[0]).toMatchObject({ sample: 3, sampling: { temperature: 0.5 }, toolChoice: "auto" });
    expect(model.requests[1]?.messages).toMatchObject([
      { role: "user", text: "Count to three." },
      { role: "assistant", text: "one" },
      { role: "tool", callId: "call_0", text: "2", isError: false },
    ]);
  });

  // BR069
  it("answers malformed calls under their own id, and goes on", async () => {
    const model = scripted(
      say("", ["add", '{"by": 1', "cut"], ["add", '{"by":1}{"by":1}', "glued"], ["fly", "{}", "unknown"]),
      say("", ["add", '{"by": 3}'], ["submit", "{}"]),
    );
    const { grading, trajectory } = await play(model);
    expect(grading.outcome).toBe("success");
    const answers = model.requests[1]?.messages.slice(2) as { callId: string; text: string; isError: boolean }[];
    expect(answers.map(({ callId, isError }) => [callId, isError])).toEqual([
      ["cut", true],
      ["glued", true],
      ["unknown", true],
    ]);
    expect(answers[0]?.text).toMatch(/arguments of add are no JSON/);
    expect(trajectory.steps[1]?.call).toMatchObject({
      action: null,
      written: { call: { argumentsText: '{"by":1}{"by":1}' } },
    });
  });

  it("is asked once to act when it only talks, and ends when it talks again", async () => {
    const model = scripted(say("thinking"), say("done"));
    const { grading, trajectory } = await play(model);
    expect(grading.outcome).toBe("failure");
    expect(trajectory.steps.map(({ call }) => (call.written as { text: string }).text)).toEqual(["thinking", "done"]);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: "user", text: /no tool was called/ });
  });

  it("gives a call whose id was used before an id of its own in the trajectory", async () => {
    const model = scripted(say("", ["add", "{}", "call_0"]), say("", ["submit", "{}", "call_0"]));
    const { trajectory } = await play(model);
    expect(trajectory.steps.map(({ call }) => call.id)).toEqual(["call_0", "call_0#2"]);
  });

  it("stops after its turns: the work is graded, and the limit is the cause", async () => {
    const { grading } = await play(scripted(say("", ["add", "{}"]), say("", ["add", "{}"])), { maximumTurns: 2 });
    expect(grading).toMatchObject({ outcome: "failure", cause: { code: "turn_limit", limit: 2 } });
  });

  it("books a fault of the endpoint as the machine's, not the policy's", async () => {
    const fault = new ModelError({ code: "overloaded", message: "503", isRetryable: true });
    const { grading } = await play(scripted(say("", ["add", "{}"]), fault));
    expect(grading).toMatchObject({ outcome: "infra_error", verdict: null, cause: { code: "overloaded" } });
  });

  it("shortens old observations when the context is full, and says so", async () => {
    const uncounted = { ...say("", ["add", "{}"]), usage: { ...usage, inputTokens: null } };
    const turns = Array.from({ length: 8 }, () => uncounted);
    const model = scripted(...turns, say("", ["submit", "{}"]));
    await play(model, { contextTokens: 6_000 }, 3_000);
    const last = model.requests.at(-1)!;
    expect(last.messages[0]?.text).toBe("Count to three.");
    expect(
      last.messages.filter(({ text }) => /characters left out to fit the context/.test(text)).length,
    ).toBeGreaterThan(2);
    expect(last.messages.at(-1)?.text).toHaveLength(3_001);
  });

  it.each([{}, { answerTokens: 64 }, { answerTokens: 50_000 }])("leaves room in a small context, %j", async (more) => {
    const { grading } = await play(scripted(say("", ["submit", "{}"])), { contextTokens: 2_000, ...more });
    expect(grading.cause?.code).not.toBe("context_limit");
    const none = await play(scripted(say("", ["submit", "{}"])), { contextTokens: 100, ...more });
    expect(none.grading.cause?.code).toBe("context_limit");
  });

  it("asks again with a shorter conversation when the endpoint finds it too long, then gives up", async () => {
    const overflow = new ModelError({ code: "context_overflow", message: "too long" });
    const first = [say("", ["add", "{}"]), say("", ["add", "{}"]), say("", ["add", "{}"])];
    const model = scripted(...first, overflow, say("", ["submit", "{}"]));
    expect((await play(model, {}, 5_000)).grading.outcome).toBe("success");
    expect(requestLength(model.requests[4]!)).toBeLessThan(requestLength(model.requests[3]!));
    const hopeless = await play(scripted(...first.slice(1), overflow, overflow), {}, 5_000);
    expect(hopeless.grading.cause).toMatchObject({ code: "context_limit" });
  });
});

describe("readCall", () => {
  const read = (argumentsText: string) => readCall({ id: "1", name: "run", argumentsText });
  it.each([
    ["{}", {}],
    ["", {}],
    ['{"a":9007199254740991}', { a: 9007199254740991 }],
    ['{"a":1.5e3}', { a: 1500 }],
    ['{"command":"echo {\\"a\\"}"}', { command: 'echo {"a"}' }],
  ])("reads %s", (text, expected) => {
    expect(read(text)).toEqual({ action: { name: "run", arguments: expected } });
  });

  it.each([
    ["cut off", '{"command": "ls', /no JSON/],
    ["glued", '{"a":1}{"b":2}', /no JSON/],
    ["encoded twice", '"{\\"a\\":1}"', /encoded twice/],
    ["an array", "[1]", /no JSON object/],
    ["null", "null", /no JSON object/],
    ["a key twice", '{"a":1,"a":2}', /"a" twice/],
    ["a 64-bit integer", '{"a":12345678901234567890}', /12345678901234567890, which is beyond 2\^53/],
    ["too large a number", '{"a":1e999}', /out of range/],
  ])("says what is wrong with arguments that are %s", (_, text, problem) => {
    expect(read(text)).toEqual({ problem: expect.stringMatching(problem) });
  });
});

describe("fitContext", () => {
  const request: ModelRequest = {
    messages: [
      { role: "user", text: "task" },
      ...Array.from({ length: 6 }, () => ({
        role: "tool" as const,
        callId: "1",
        text: "y".repeat(2_000),
        isError: false,
      })),
    ],
  };
  it("leaves what fits alone", () => {
    expect(fitContext(request, { tokens: 20_000, tokensPerCharacter: 1 })).toBe(request);
  });
  it("gives up when even the newest turns and the task are too long", () => {
    expect(
      fitContext({ messages: [{ role: "user", text: "x".repeat(500) }] }, { tokens: 100, tokensPerCharacter: 1 }),
    ).toBeNull();
  });
});
