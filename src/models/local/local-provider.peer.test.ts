import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ModelMessage, ModelRequest } from "../../contract/index.ts";
import { ask } from "../testing/counting-model.ts";
import { localProvider } from "./index.ts";

const runtime = fileURLToPath(new URL("../../../.cache/local-model", import.meta.url));
const file = join(runtime, "SmolLM2-135M-Instruct.Q4_1.gguf");
const isInstalled = existsSync(file) && existsSync(join(runtime, "node_modules/node-llama-cpp"));
const isRequired = process.env.ROUTESETTER_REQUIRE_LOCAL_MODEL === "1";

if (!isInstalled && !isRequired)
  it("no local model", (context) => context.skip("node scripts/install-test-model.mjs was not run"));

describe.runIf(isInstalled || isRequired)("a language model in a file", () => {
  let model: ReturnType<typeof localProvider>;
  beforeAll(() => {
    model = localProvider({ file, runtime, contextTokens: 1_024 });
  });
  afterAll(() => model.close());

  const tools = [
    {
      name: "run",
      description: "runs a shell command",
      parameters: { type: "object", properties: { command: { type: "string", maxLength: 40 } }, required: ["command"] },
    },
    { name: "submit", description: "ends the work", parameters: { type: "object", properties: {} } },
  ];

  it("answers in text, tells what it used and where it was cut off", async () => {
    const reply = await model.complete(ask("What is the capital of France?", { sampling: { maximumTokens: 20 } }));
    expect(reply).toMatchObject({
      text: "The capital of France is Paris.",
      finishReason: "stop",
      usage: { costUsd: 0 },
    });
    expect(reply.usage.inputTokens).toBeGreaterThan(8);
    expect(reply.usage.outputTokens).toBeGreaterThan(5);
    const cut = await model.complete(ask("What is the capital of France?", { sampling: { maximumTokens: 3 } }));
    expect(cut).toMatchObject({ text: "The capital of", finishReason: "length", usage: { outputTokens: 3 } });
    expect(reply.model.id).toBe("local:SmolLM2-135M-Instruct.Q4_1.gguf");
  });

  it("says the same for the same seed, and something else for another sample", async () => {
    const warm = (more: Partial<ModelRequest> = {}) =>
      ask("Write a story.", { sampling: { maximumTokens: 12, temperature: 1.2, seed: 7 }, ...more });
    const first = await model.complete(warm());
    await model.complete(ask("Hello", { sampling: { maximumTokens: 3 } }));
    expect((await model.complete(warm())).text).toBe(first.text);
    const others = [await model.complete(warm({ sample: 1 })), await model.complete(warm({ sample: 2 }))];
    expect(others.some(({ text }) => text !== first.text)).toBe(true);
  });

  it("every turn of a conversation with tools is a call of one of them", async () => {
    const messages: ModelMessage[] = [{ role: "user", text: "List the files in /tmp, then submit." }];
    for (let turn = 1; turn <= 3; turn++) {
      const reply = await model.complete({
        messages,
        tools,
        toolChoice: "required",
        sampling: { maximumTokens: 80, temperature: 0.7, seed: turn },
      });
      expect(reply.calls).toHaveLength(1);
      const call = reply.calls[0]!;
      expect(["run", "submit"]).toContain(call.name);
      const given = JSON.parse(call.argumentsText);
      expect(call.name === "run" ? typeof given.command : given).toEqual(call.name === "run" ? "string" : {});
      expect(reply.finishReason).toBe("tool-calls");
      messages.push({ role: "assistant", text: reply.text, calls: reply.calls });
      messages.push({ role: "tool", callId: call.id, text: "a.txt b.txt", isError: false });
    }
  });

  it("an answer to a schema satisfies it", async () => {
    const schema = {
      type: "object",
      properties: { size: { enum: ["small", "large"] }, count: { type: "integer" } },
      required: ["size", "count"],
    };
    const reply = await model.complete(ask("Describe a mouse.", { schema, sampling: { maximumTokens: 60 } }));
    const value = JSON.parse(reply.text);
    expect(["small", "large"]).toContain(value.size);
    expect(Number.isInteger(value.count)).toBe(true);
  });

  it("a request that is too long for its context is an error that says so", async () => {
    await expect(model.complete(ask("word ".repeat(2_000)))).rejects.toMatchObject({ code: "context_overflow" });
    expect((await model.complete(ask("Hello", { sampling: { maximumTokens: 3 } }))).text).not.toBe("");
  });

  it("an abort ends an answer", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error("enough")), 300);
    await expect(model.complete(ask("Count to a thousand."), { signal: controller.signal })).rejects.toThrow("enough");
  });

  it("a file that breaks off is an error that names it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "local-"));
    const broken = join(folder, "broken.gguf");
    writeFileSync(broken, readFileSync(file).subarray(0, 8_000_000));
    const provider = localProvider({ file: broken, runtime });
    await expect(provider.complete(ask("a"))).rejects.toMatchObject({
      code: "local_model_unusable",
      where: { file: broken },
    });
    await provider.close();
    rmSync(folder, { recursive: true });
  });
});
