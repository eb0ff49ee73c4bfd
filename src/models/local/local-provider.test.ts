import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ask } from "../testing/counting-model.ts";
import { answerSchema, grammarSchema } from "./grammar-schema.ts";
import { localProvider } from "./index.ts";
import { renderHistory } from "./render-history.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "local-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("a local model", () => {
  it("without what runs it is an error that says what to install", async () => {
    const file = join(folder, "m.gguf");
    writeFileSync(file, Buffer.from("GGUF\u0003\0\0\0", "latin1"));
    await expect(localProvider({ file, runtime: folder }).complete(ask("a"))).rejects.toMatchObject({
      name: "ConfigError",
      code: "local_runtime_missing",
      remedy: expect.stringContaining("npm install node-llama-cpp@"),
    });
  });

  it.each(["", "GGUF", "GGUF and nothing else", "no model at all"])("a file that holds %j is refused", (content) => {
    const file = join(folder, "m.gguf");
    writeFileSync(file, content);
    expect(() => localProvider({ file })).toThrow(/m\.gguf: the file is no GGUF model/);
  });

  it("without its file is an error that names it", () => {
    expect(() => localProvider({ file: join(folder, "none.gguf") })).toThrow(/none\.gguf: there is no such model/);
  });
});

describe("the grammar of an answer", () => {
  const tool = { name: "run", description: "", parameters: { type: "object", properties: { n: { type: "integer" } } } };

  it("is one call, or a last word where that is allowed", () => {
    const call = {
      type: "object",
      properties: { tool: { const: "run" }, arguments: { type: "object", properties: { n: { type: "integer" } } } },
    };
    expect(answerSchema([tool], false)).toEqual(call);
    expect(answerSchema([tool], true)).toMatchObject({ oneOf: [call, { properties: { final: { type: "string" } } }] });
  });

  it("keeps what a grammar can hold, and bounds or opens the rest", () => {
    expect(
      grammarSchema({
        type: "object",
        properties: {
          a: { type: ["string", "null"] },
          b: { anyOf: [{ const: 1 }, { enum: ["x", true] }] },
          c: { type: "array", items: { type: "number" } },
          d: { $ref: "#/x" },
          e: { type: "string", maxLength: 9 },
        },
      }),
    ).toEqual({
      type: "object",
      properties: {
        a: { oneOf: [{ type: "string", maxLength: 2_000 }, { type: "null" }] },
        b: { oneOf: [{ const: 1 }, { enum: ["x", true] }] },
        c: { type: "array", items: { type: "number" }, maxItems: 20 },
        d: { type: "string", maxLength: 2_000 },
        e: { type: "string", maxLength: 9 },
      },
    });
  });
});

it("a conversation takes turns, with calls and results as text", () => {
  expect(
    renderHistory({
      system: "be brief",
      messages: [
        { role: "user", text: "list" },
        { role: "assistant", text: "", calls: [{ id: "1", name: "run", argumentsText: '{"a":1}' }] },
        { role: "tool", callId: "1", text: "x", isError: true },
        { role: "user", text: "go on" },
      ],
    }),
  ).toEqual([
    { type: "system", text: "be brief" },
    { type: "user", text: "list" },
    { type: "model", response: ['{"tool": "run", "arguments": {"a":1}}'] },
    { type: "user", text: "Error: x\n\ngo on" },
    { type: "model", response: [""] },
  ]);
});
