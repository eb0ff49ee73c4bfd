import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ConfigError } from "../../contract/index.ts";
import { ask } from "../testing/counting-model.ts";
import { scriptProvider } from "./index.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "script-"));
  file = join(folder, "demo.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (...replies: unknown[]) =>
  writeFileSync(file, replies.map((reply) => `${JSON.stringify(reply)}\n`).join("\n"));

describe("a scripted model", () => {
  it("gives its replies in order, says that it is scripted, and then that they are used up", async () => {
    write({ text: "one" }, { calls: [{ name: "run", arguments: { command: "ls" } }], reasoning: "look" });
    const model = scriptProvider({ file });
    expect(model.id).toBe("script:demo.jsonl");
    expect(await model.complete(ask("a"))).toMatchObject({
      text: "one",
      finishReason: "stop",
      model: { id: "script:demo.jsonl" },
      usage: { inputTokens: null, costUsd: 0 },
    });
    expect(await model.complete(ask("b"))).toMatchObject({
      calls: [{ id: "scripted-2-1", name: "run", argumentsText: '{"command":"ls"}' }],
      finishReason: "tool-calls",
      reasoning: "look",
    });
    await expect(model.complete(ask("c"))).rejects.toMatchObject({
      code: "script_exhausted",
      where: { file },
      message: expect.stringContaining("all 2 scripted replies were given"),
    });
  });

  it("reads a JSON array too, with malformed arguments as a model might write them", async () => {
    writeFileSync(file, JSON.stringify([{ calls: [{ id: "x", name: "run", argumentsText: '{"a":' }] }], null, 2));
    expect(await scriptProvider({ file }).complete(ask("a"))).toMatchObject({
      calls: [{ id: "x", name: "run", argumentsText: '{"a":' }],
    });
  });

  it("prefers a reply whose condition fits, whatever the order", async () => {
    write(
      { text: "any" },
      { text: "text", when: "needle", repeat: true },
      { text: "pattern", when: { matches: "^[0-9]+$" } },
      { text: "stage", when: { stage: "judge", contains: "verdict" } },
      { text: "second turn", when: { turn: 2 }, repeat: true },
    );
    const model = scriptProvider({ file, stage: "judge" });
    const say = async (text: string) => (await model.complete(ask(text))).text;
    expect(await say("a needle here")).toBe("text");
    expect(await say("needle")).toBe("text");
    expect(await say("123")).toBe("pattern");
    expect(await say("your verdict?")).toBe("stage");
    const messages = [...ask("a").messages, { role: "assistant" as const, text: "b", calls: [] }, ...ask("c").messages];
    expect((await model.complete({ messages })).text).toBe("second turn");
    expect(await say("else")).toBe("any");
    await expect(say("123")).rejects.toThrow(/none of the 2 scripted replies that are left fits .*"123"/);
    write({ text: "stage", when: { stage: "judge" } });
    await expect(scriptProvider({ file, stage: "author" }).complete(ask("x"))).rejects.toThrow(/none of the 1/);
  });

  it("fails where the script says so", async () => {
    write({ error: { code: "overloaded", message: "503", isRetryable: true } });
    await expect(scriptProvider({ file }).complete(ask("a"))).rejects.toMatchObject({
      code: "overloaded",
      isRetryable: true,
    });
  });

  const faults: [string, string | Buffer, number | undefined, RegExp][] = [
    ["a line that is not JSON", '{"text":"a"}\n\n{"text":\n', 3, /not JSON/],
    ["an array that breaks off", '[\n  {"text": "a"},\n  {"text": }\n]', 3, /not JSON/],
    ["an unknown field", '{"text":"a"}\n{"txt":"b"}', 2, /txt/],
    ["a reply without anything", '{"when":"a"}', 1, /needs text, calls or error/],
    ["a wrong type", '{"text":"a"}\n{"calls":[{"name":1}]}', 2, /calls\.0\.name/],
    ["a number for a line", "42", 1, /expected object/],
    ["a broken regular expression", '{"text":"a","when":{"matches":"("}}', 1, /when\.matches/],
    ["bytes that are not UTF-8", Buffer.from([0xff]), undefined, /can't be read/],
  ];
  it.each(faults)("with %s is refused with file and line", (_, content, line, message) => {
    writeFileSync(file, content);
    try {
      scriptProvider({ file });
      expect.unreachable();
    } catch (error) {
      expect(ConfigError.isInstance(error)).toBe(true);
      expect(error).toMatchObject({ code: "script_invalid", where: { file, ...(line && { line }) } });
      expect((error as Error).message).toMatch(message);
    }
  });

  it("that is missing is an error that names the file", () => {
    expect(() => scriptProvider({ file: join(folder, "none.jsonl") })).toThrow(/none\.jsonl/);
  });
});
