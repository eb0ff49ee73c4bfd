// Models behind HTTP against a real endpoint in a process of its own: its answers are scripted, its sockets are real.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { ModelServer, type ScriptedAnswer } from "../../test/support/model-server/index.ts";
import { ModelError, type ModelRequest, type ToolSpec } from "../contract/index.ts";
import { Cassette } from "./cassette/index.ts";
import { Ledger } from "./ledger/index.ts";
import { type OpenModelOptions, openModel } from "./open-model.ts";
import { type ModelProfile, modelProfileSchema } from "./profile.ts";
import { readOpenAi } from "./providers/wire/openai.ts";

const key = "sk-secret-0123456789";
const usage = { input: 100, output: 10, cached: 40 };
const tools: ToolSpec[] = [{ name: "run", description: "runs", parameters: { type: "object", properties: {} } }];
const ask = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: [{ role: "user", text: "Hello" }],
  ...more,
});

let server: ModelServer;
let folder: string;
beforeAll(async () => {
  server = await ModelServer.start();
  folder = mkdtempSync(join(tmpdir(), "models-"));
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const dialects = ["openai-compatible", "openai", "anthropic"] as const;
type Dialect = (typeof dialects)[number] | "google";
const profile = (provider: Dialect, more: Partial<ModelProfile> = {}): ModelProfile =>
  modelProfileSchema.parse({
    provider,
    model: "told",
    url: `${server.origin}/${provider === "google" ? "v1beta" : "v1"}`,
    key_env: "THE_KEY",
    input_price: 1,
    output_price: 10,
    ...more,
  });
const open = async (provider: Dialect, more: Partial<ModelProfile> = {}, options: OpenModelOptions = {}) => {
  const ledger = new Ledger();
  const { model } = await openModel("m", {
    profiles: { m: profile(provider, more) },
    environment: { THE_KEY: key },
    ledger,
    retry: { baseMilliseconds: 1, capMilliseconds: 2 },
    ...options,
  });
  return { model, ledger };
};
const failing = async (promise: Promise<unknown>): Promise<ModelError> => {
  const error = await promise.then(
    () => null,
    (reason) => reason,
  );
  if (!ModelError.isInstance(error)) throw new Error(`no ModelError: ${error}`);
  return error;
};

describe.each(dialects.flatMap((dialect) => [false, true].map((stream) => [dialect, stream] as const)))(
  "%s, stream %s",
  (dialect, stream) => {
    const opened = (more: Partial<ModelProfile> = {}, options: OpenModelOptions = {}) =>
      open(dialect, { stream, ...more }, options);

    it("answers with text, reasoning, usage and cost, counted once", async () => {
      const { model, ledger } = await opened();
      await server.script({ text: "Good\u2028 morning 😀", reasoning: "because", usage });
      const reply = await model.complete(
        ask({ system: "Be kind.", sampling: { temperature: 0.5, maximumTokens: 50 } }),
      );
      expect(reply).toMatchObject({
        text: "Good\u2028 morning 😀",
        reasoning: "because",
        finishReason: "stop",
        calls: [],
      });
      expect(reply.usage).toMatchObject({ inputTokens: 100, cachedInputTokens: 40, outputTokens: 10 });
      expect(reply.usage.costUsd).toBeCloseTo(0.0002, 9);
      expect(ledger.totals()).toMatchObject({ calls: 1 });
      const [sent] = await server.log();
      expect(sent).toMatchObject({ key, body: { model: "told", temperature: 0.5 } });
      expect(JSON.stringify(sent?.body)).toContain("Be kind.");
    });

    it("keeps parallel calls apart, byte for byte", async () => {
      const { model } = await opened();
      const calls = [
        { id: "a", name: "run", arguments: '{"command": "ls", "n": 12345678901234567890}' },
        { id: "b", name: "write", arguments: '{"path": "x"}' },
      ];
      await server.script({ text: "Look.", calls, usage });
      const reply = await model.complete(ask({ tools }));
      expect(reply).toMatchObject({ text: "Look.", finishReason: "tool-calls" });
      expect(reply.calls.map(({ id, name }) => [id, name])).toEqual([
        ["a", "run"],
        ["b", "write"],
      ]);
      expect(reply.calls[0]?.argumentsText).toContain("12345678901234567890");
    });

    it("sends a conversation back, malformed calls and results with errors too", async () => {
      const { model } = await opened();
      await server.script({ text: "ok", usage });
      await model.complete(
        ask({
          tools,
          messages: [
            { role: "user", text: "Do it" },
            {
              role: "assistant",
              text: "",
              calls: [
                { id: "a", name: "run", argumentsText: '{"command": "ls"}' },
                { id: "b", name: "run", argumentsText: '{"comm' },
              ],
            },
            { role: "tool", callId: "a", text: "file", isError: false },
            { role: "tool", callId: "b", text: "the arguments are no JSON", isError: true },
          ],
        }),
      );
      const text = JSON.stringify((await server.log())[0]?.body.messages);
      for (const part of ["ls", "unreadable", "file", "the arguments are no JSON", '"a"', '"b"'])
        expect(text).toContain(part);
    });

    const retried: [string, ScriptedAnswer][] = [
      ["429 without retry-after", { fault: "rate-limit" }],
      ["429 with retry-after", { fault: "rate-limit-after", seconds: 0.01 }],
      ["500", { fault: "status", status: 500 }],
      ["529", { fault: "status", status: 529 }],
      ["a connection that is reset", { fault: "reset" }],
      ["a truncated answer", { fault: "truncated", text: "half of it", usage }],
      ["a truncated answer on a connection that ends well", { fault: "truncated", clean: true, text: "half of it" }],
      ["an answer that is no JSON", { fault: "not-json" }],
    ];
    it.each(retried)("%s: asked again, and billed for the answer once", async (_, fault) => {
      const { model, ledger } = await opened();
      await server.script(fault, { text: "at last", usage });
      const reply = await model.complete(ask());
      expect(reply.text).toBe("at last");
      expect(await server.log()).toHaveLength(2);
      // An answer that began may have been billed: what nobody told is unknown, not nothing.
      const may = fault.fault === "truncated" || fault.fault === "not-json";
      if (may && reply.usage.outputTokens === null) expect(reply.usage.costUsd).toBeNull();
      else if (!may) expect(reply.usage).toMatchObject({ inputTokens: 100, outputTokens: 10 });
      expect(ledger.totals()).toMatchObject({ calls: 1, callsOfUnknownCost: reply.usage.costUsd === null ? 1 : 0 });
    });

    it.each([
      ["a refused key", { fault: "echo-key" }, "auth"],
      ["a context that is too long", { fault: "overflow" }, "context_overflow"],
      ["a filter", { fault: "filter" }, "content_filter"],
      ["a bad request", { fault: "status", status: 404, message: "no such model" }, "bad_request"],
    ] as [string, ScriptedAnswer, string][])("%s: not asked again, code %s", async (_, fault, code) => {
      const { model } = await opened();
      await server.script({ ...fault, repeat: true });
      const error = await failing(model.complete(ask()));
      expect(error).toMatchObject({ code, isRetryable: false });
      expect(await server.log()).toHaveLength(1);
    });

    it("gives up after its attempts, with the last code", async () => {
      const { model } = await opened({ attempts: 3 });
      await server.script({ fault: "status", status: 503, repeat: true });
      expect(await failing(model.complete(ask()))).toMatchObject({ code: "overloaded", details: { attempts: 3 } });
      expect(await server.log()).toHaveLength(3);
    });

    it("doesn't wait for ever: neither for silence nor for drops", async () => {
      const silent = await opened({ idle_timeout_sec: 0.2, attempts: 1 });
      await server.script({ fault: "hang" });
      expect(await failing(silent.model.complete(ask()))).toMatchObject({ code: "timeout", isRetryable: true });
      const slow = await opened({ timeout_sec: 0.3, attempts: 1 });
      await server.script({ text: "slowly and slowly", slow: 400, usage });
      expect(await failing(slow.model.complete(ask()))).toMatchObject({ code: "timeout" });
    });

    it("stops when the caller does", async () => {
      const { model } = await opened();
      await server.script({ fault: "hang" });
      const controller = new AbortController();
      const asked = model.complete(ask(), { signal: controller.signal });
      setTimeout(() => controller.abort(new Error("enough")), 50);
      await expect(asked).rejects.toThrow("enough");
    });

    it("takes the evidence before the endpoint's word for why it ended", async () => {
      const { model } = await opened();
      const calls = [{ id: "a", name: "run", arguments: "{}" }];
      await server.script(
        { calls, finish: dialect === "anthropic" ? "end_turn" : "stop", usage },
        { text: "t", finish: "sideways", usage },
      );
      expect((await model.complete(ask({ tools }))).finishReason).toBe("tool-calls");
      expect((await model.complete(ask())).finishReason).toBe("stop");
    });

    it("an empty answer and a refusal are the model's own: no error of the endpoint", async () => {
      const { model } = await opened();
      await server.script(
        { usage },
        { refusal: "I won't.", ...(dialect === "anthropic" ? { text: "I won't." } : {}), usage },
      );
      expect(await model.complete(ask())).toMatchObject({ text: "", finishReason: "stop" });
      expect(await model.complete(ask())).toMatchObject({ text: "I won't.", finishReason: "refusal" });
    });

    it("tells the key to the endpoint and to nobody else", async () => {
      const file = join(folder, `${dialect}-${stream}.jsonl`);
      const events: unknown[] = [];
      const options = {
        cassette: new Cassette({ file, mode: "record", secrets: [key] }),
        onTrace: (event: unknown) => events.push(event),
      };
      const { model } = await opened({}, options);
      await server.script({ text: "ok", usage }, { fault: "echo-key" }, { text: `you sent ${key}`, usage });
      await model.complete(ask());
      const error = await failing(model.complete(ask({ sample: 1 })));
      await model.complete(ask({ sample: 2 }));
      const told = [
        error.message,
        error.stack,
        JSON.stringify(error),
        JSON.stringify(events),
        readFileSync(file, "utf8"),
      ];
      for (const text of told) expect(text).not.toContain(key);
      expect(error.message).toContain("[key]");
      expect(readFileSync(file, "utf8").trim().split("\n")).toHaveLength(1);
    });

    const schema = z.object({ name: z.string(), id: z.int64() });
    it.each([
      ["plain", '{"name": "a", "id": 12345678901234567890}'],
      ["in a fence", 'Here:\n```json\n{"name": "a", "id": 12345678901234567890}\n```\nDone.'],
      ["after thinking", '<think>{"name": "no", "id": 1}</think>\n{"name": "a", "id": 12345678901234567890}'],
      ["after prose", 'The value is {"name": "a", "id": 12345678901234567890}.'],
    ])("gives a typed value from an answer that is %s", async (_, text) => {
      const wide = z.object({ name: z.string(), id: z.bigint() });
      const { model } = await opened();
      await server.script({ text, usage });
      expect((await model.generate({ prompt: "?", schema: wide })).value).toEqual({
        name: "a",
        id: 12345678901234567890n,
      });
    });

    it("sends an answer that doesn't fit back once, and counts both", async () => {
      const { model, ledger } = await opened();
      await server.script({ text: '{"name": 1}', usage }, { text: '{"name": "a", "id": 7}', usage });
      const { value, usage: all } = await model.generate({ prompt: "?", schema });
      expect(value).toEqual({ name: "a", id: 7n });
      expect(all).toMatchObject({ inputTokens: 200, outputTokens: 20 });
      expect(ledger.totals()).toMatchObject({ calls: 2 });
      const [, second] = await server.log();
      expect(JSON.stringify(second?.body.messages)).toMatch(/can't be used/);
    });

    it.each([
      ["wrong twice", [{ text: "[]" }, { text: "no idea" }], "schema_mismatch"],
      ["empty twice", [{ text: "" }, { text: "" }], "schema_mismatch"],
      [
        "a key twice, twice",
        [{ text: '{"name":"a","name":"b","id":1}' }, { text: '{"name":"a","name":"b","id":1}' }],
        "schema_mismatch",
      ],
      ["refused", [{ refusal: "no", text: dialect === "anthropic" ? "no" : "" }], "refusal"],
    ] as [string, ScriptedAnswer[], string][])("an answer that is %s: %s", async (_, answers, code) => {
      const { model } = await opened();
      await server.script(...answers.map((answer) => ({ ...answer, usage })));
      expect((await failing(model.generate({ prompt: "?", schema }))).code).toBe(code);
      expect(await server.log()).toHaveLength(answers.length);
    });
  },
);

// BR071
describe("OpenAI's tool calls in pieces, as servers really send them", () => {
  const read = async (...deltas: object[]) => {
    const { model } = await open("openai-compatible", { stream: true, attempts: 1 });
    await server.script({ deltas, finish: "tool_calls", usage });
    return (await model.complete(ask({ tools }))).calls.map(({ id, name, argumentsText }) => [id, name, argumentsText]);
  };
  const of = (name: string | undefined, text: string) => ({
    function: { ...(name === undefined ? {} : { name }), arguments: text },
  });

  it("interleaved by index", async () => {
    expect(
      await read(
        { index: 0, id: "a", ...of("run", '{"x"') },
        { index: 1, id: "b", ...of("write", '{"y"') },
        { index: 0, ...of(undefined, ": 1}") },
        { index: 1, ...of(undefined, ": 2}") },
      ),
    ).toEqual([
      ["a", "run", '{"x": 1}'],
      ["b", "write", '{"y": 2}'],
    ]);
  });

  it("without an index, the id on the first piece only", async () => {
    expect(
      await read(
        { id: "a", ...of("run", '{"x"') },
        of(undefined, ": 1}"),
        { id: "b", ...of("write", '{"y"') },
        of(undefined, ": 2}"),
      ),
    ).toEqual([
      ["a", "run", '{"x": 1}'],
      ["b", "write", '{"y": 2}'],
    ]);
  });

  it("every call with index 0, told apart by id; empty names in later pieces; no id at all", async () => {
    expect(
      await read(
        { index: 0, id: "a", ...of("run", "{}") },
        { index: 0, id: "b", ...of("write", "{") },
        { index: 0, id: "b", ...of("", "}") },
      ),
    ).toEqual([
      ["a", "run", "{}"],
      ["b", "write", "{}"],
    ]);
    expect(await read({ index: 0, ...of("run", "{}") })).toEqual([["call_0", "run", "{}"]]);
  });

  it("another name is another call, with no id and no index, or with the same index", async () => {
    const expected = [
      ["call_0", "run", "{}"],
      ["call_1", "write", "{}"],
    ];
    expect(await read(of("run", "{}"), of("write", "{}"))).toEqual(expected);
    expect(await read({ index: 0, ...of("run", "{}") }, { index: 0, ...of("write", "{}") })).toEqual(expected);
  });

  it("in a whole answer every entry is a call, whatever its id; an object keeps its digits", async () => {
    const { model } = await open("openai-compatible", { attempts: 1 });
    const calls = ["run", "write"].map((name) => ({ id: "", name, arguments: "{}" }));
    await server.script({ calls, usage });
    expect((await model.complete(ask({ tools }))).calls.map(({ id, name }) => [id, name])).toEqual([
      ["call_0", "run"],
      ["call_1", "write"],
    ]);
    expect(
      readOpenAi(
        '{"choices":[{"message":{"tool_calls":[{"id":"a","function":{"name":"run","arguments":{"n":9007199254740993}}}]}}]}',
        false,
      ).calls[0]?.argumentsText,
    ).toBe('{"n":9007199254740993}');
  });

  it("no part of the key stands in an error, wherever the text is cut", async () => {
    for (const before of [180, 190, 480, 490]) {
      const { model } = await open("openai-compatible", { attempts: 1 });
      await server.script({ fault: "status", status: 400, message: `${"x".repeat(before)}${key}` });
      expect((await failing(model.complete(ask()))).message).not.toContain(key.slice(0, 8));
    }
  });

  it("arguments that were glued together stay one text, for whoever reads them to refuse", async () => {
    expect(
      await read({ index: 0, id: "a", ...of("run", '{"x":1}') }, { index: 0, ...of(undefined, '{"x":2}') }),
    ).toEqual([["a", "run", '{"x":1}{"x":2}']]);
  });
});

describe("google", () => {
  it.each([false, true])("answers with text, calls and usage, stream %s", async (stream) => {
    const { model } = await open("google", { stream });
    await server.script({ text: "Look.", calls: [{ id: "", name: "run", arguments: '{"command":"ls"}' }], usage });
    expect(await model.complete(ask({ tools }))).toMatchObject({
      text: "Look.",
      finishReason: "tool-calls",
      calls: [{ name: "run", argumentsText: '{"command":"ls"}' }],
      usage: { inputTokens: 100, outputTokens: 10 },
    });
  });
});

describe("a model's name", () => {
  const failure = (spec: string, options: OpenModelOptions = {}) =>
    openModel(spec, { environment: {}, ...options }).then(
      () => null,
      ({ code, message }) => `${code}: ${message}`,
    );
  it("may be a profile, or say provider and model; a missing key names its variable", async () => {
    expect(await failure("openai:gpt-4.1")).toMatch(/^key_missing: .*OPENAI_API_KEY/);
    expect(await failure("anthropic:claude")).toMatch(/^key_missing: .*ANTHROPIC_API_KEY/);
    expect(await failure("nonsense")).toMatch(/^unknown_model: .*"nonsense"/);
    expect(await failure("openai-compatible:x")).toMatch(/^url_missing/);
    expect(await failure(`openai-compatible:x@${server.origin}/v1`)).toBeNull();
    expect(await failure("mine", { profiles: { mine: profile("openai") } })).toMatch(/^key_missing: .*THE_KEY/);
  });

  it("has an unknown price when nobody told one, and none of another endpoint's", async () => {
    const options = { environment: { OPENAI_API_KEY: key } };
    expect((await openModel("openai:gpt-4.1", options)).price).toMatchObject({ inputUsdPerMillion: 2 });
    expect((await openModel("openai:gpt-nobody-knows", options)).price).toBeNull();
    expect((await openModel("openai-compatible:gpt-4.1@http://127.0.0.1:1/v1", options)).price).toBeNull();
  });
});
