import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ModelRequest } from "../../contract/index.ts";
import { ask } from "../testing/counting-model.ts";
import { commandProvider } from "./index.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "command-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const tools = [{ name: "run", description: "runs a command", parameters: { type: "object" } }];
const withTools = ask("list the files", { tools });
const say = (command: string | string[], request: ModelRequest = ask("hello"), more = {}) =>
  commandProvider({ command, ...more }).complete(request);

describe("a program as a model", () => {
  it("reads the prompt on standard input and answers on standard output", async () => {
    const reply = await say(["tr", "a-z", "A-Z"]);
    expect(reply).toMatchObject({
      text: "HELLO\n",
      calls: [],
      finishReason: "stop",
      model: { id: "command:tr a-z A-Z" },
      usage: { inputTokens: null, outputTokens: null, costUsd: null },
    });
  });

  it("gets system, tools, conversation and the way to answer as text", async () => {
    const reply = await say("cat >&2; cat >/dev/null; echo ok; exit 1", {
      system: "be brief",
      tools,
      toolChoice: "required",
      messages: [
        { role: "user", text: "list" },
        { role: "assistant", text: "I look", calls: [{ id: "c1", name: "run", argumentsText: '{"a":1}' }] },
        { role: "tool", callId: "c1", text: "no such file", isError: true },
      ],
    }).catch((error: Error) => error);
    for (const part of [
      'Call c1: run {"a":1}',
      "# Result of call c1 (an error)\n\nno such file",
      '{"text": "what you have to say", "calls": [{"name": "a tool", "arguments": {}}]}',
      "You have to call at least one tool.",
    ])
      expect((reply as Error).message).toContain(part);
  });

  it("gets the request as JSON where the profile says so", async () => {
    const reply = await say(["cat"], withTools, { format: "json" });
    expect(JSON.parse(reply.text)).toEqual(withTools);
  });

  it.each([
    ["bare", (json: string) => json],
    ["in a fence", (json: string) => `\`\`\`json\n${json}\n\`\`\``],
  ])("calls tools in the protocol, %s, with every digit of a number", async (_, wrap) => {
    const file = join(folder, "answer");
    writeFileSync(
      file,
      wrap(
        '{"text":"I look","calls":[{"name":"run","arguments":{"n":12345678901234567890}},{"name":"run","arguments":{}}]}',
      ),
    );
    expect(await say(["cat", file], withTools)).toMatchObject({
      text: "I look",
      finishReason: "tool-calls",
      calls: [
        { id: "command-1-1", name: "run", argumentsText: '{"n":12345678901234567890}' },
        { id: "command-1-2", name: "run", argumentsText: "{}" },
      ],
    });
  });

  it.each([
    ["plain text", "done, I think"],
    ["half an object", '{"calls":[{"name":"run"'],
    ["another object", '{"calls":"none"}'],
    ["an empty object", "{}"],
    ["text around the object", 'here: {"calls":[]}'],
  ])("takes %s for text", async (_, answer) => {
    expect(await say(["printf", "%s", answer], withTools)).toMatchObject({ text: answer, calls: [] });
  });

  it("leaves an answer to a schema alone, though it looks like the protocol", async () => {
    const answer = '{"text":"the value"}';
    expect((await say(["printf", "%s", answer], ask("x", { schema: { type: "object" } }))).text).toBe(answer);
  });

  it("gets PATH, HOME, LANG, TERM and what the profile lists, and none of our secrets", async () => {
    const from = { PATH: process.env.PATH, HOME: "/home/x", LANG: "C", TERM: "dumb", API_KEY: "sk-1", PROXY: "p" };
    const names = async (environment: string[]) => {
      const { text } = await say(["env"], ask("x"), { from, environment });
      return text
        .trim()
        .split("\n")
        .map((line) => line.split("=")[0])
        .sort();
    };
    expect(await names(["PROXY", "ABSENT"])).toEqual(["HOME", "LANG", "PATH", "PROXY", "TERM"]);
    expect(await names(["API_KEY"])).toContain("API_KEY");
  });

  it("runs in an empty folder that is removed, or where the profile says", async () => {
    const reply = await say("pwd; ls -A; touch left");
    const directory = reply.text.trim();
    expect(directory).toMatch(/routesetter-command-\w+$/);
    expect(existsSync(directory)).toBe(false);
    await say("echo x > made; echo ok", ask("x"), { directory: folder });
    expect(readFileSync(join(folder, "made"), "utf8")).toBe("x\n");
  });

  it("may answer without reading a long prompt", async () => {
    expect(await say(["echo", "done"], ask("x".repeat(1_000_000)))).toMatchObject({ text: "done\n" });
  });

  it.each([
    ["an exit status", "echo no credit >&2; exit 3", {}, "command_failed", /exit status 3; .* no credit/],
    ["a signal", "kill -TERM $$", {}, "command_failed", /signal SIGTERM/],
    ["silence", "echo thinking >&2", {}, "command_no_answer", /wrote nothing .* thinking/],
    ["bytes that are not UTF-8", "printf '\\377'", {}, "command_not_utf8", /not UTF-8/],
    ["too much output", "yes", { outputBytes: 10_000 }, "command_output_limit", /more than 10000 bytes/],
    ["a missing program", ["no-such-program-here"], {}, "command_not_started", /ENOENT/],
    ["a missing folder", ["cat"], { directory: "/no/such/folder" }, "command_not_started", /ENOENT/],
    ["a deadline passed", "echo slow >&2; sleep 60", { timeoutMilliseconds: 300 }, "command_timeout", /0\.3 s .* slow/],
  ])("answers %s with an error that says it", async (_, command, more, code, message) => {
    const error = await say(command, ask("hello"), more).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: "ModelError", code, isRetryable: code === "command_timeout" });
    expect((error as Error).message).toMatch(message);
  });

  it.each([
    ["at the deadline", "sleep 61 & echo $! > pid; sleep 61", "command_timeout"],
    ["when it has answered", "sleep 61 & echo $! > pid; echo answer", undefined],
  ])("is gone %s with all that it started", async (_, command, code) => {
    const result = await say(command, ask("x"), { directory: folder, timeoutMilliseconds: 1_000 }).catch(
      (error) => error,
    );
    expect(result.code).toBe(code);
    const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
    expect(pid).toBeGreaterThan(1);
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it("is ended by an abort, with its reason", async () => {
    const controller = new AbortController();
    const reply = commandProvider({ command: "echo $$ > pid; sleep 60", directory: folder }).complete(ask("x"), {
      signal: controller.signal,
    });
    const waiting = setInterval(() => {
      if (existsSync(join(folder, "pid"))) controller.abort(new Error("enough"));
    }, 20);
    await expect(reply).rejects.toThrow("enough");
    clearInterval(waiting);
  });

  it("needs a command", () => {
    expect(() => commandProvider({ command: [] })).toThrow(/no command is given/);
  });
});

function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
