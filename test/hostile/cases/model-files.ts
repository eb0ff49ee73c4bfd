// Recorded and scripted replies of models.
import { join } from "node:path";
import type { ModelReply, ModelRequest } from "../../../src/contract/index.ts";
import { formatEntry } from "../../../src/models/cassette/entry.ts";
import { readCassette } from "../../../src/models/cassette/index.ts";
import { type ModelIdentity, requestKey } from "../../../src/models/request-key.ts";
import { readScript } from "../../../src/models/script/read-script.ts";
import * as op from "../operators.ts";
import { type HostileCase, type HostileKind, rejects, warns } from "../suite.ts";

const c = (operator: op.Operator, expected: HostileCase["expected"]): HostileCase => ({ operator, expected });
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

const cassette = "replies.jsonl";
const identity: ModelIdentity = { kind: "chat", provider: "p", model: "m", revision: null } as ModelIdentity;
const entry = (text: string): string => {
  const request = { messages: [{ role: "user", content: text }] } as unknown as ModelRequest;
  const usage = { inputTokens: 1, cachedInputTokens: null, outputTokens: 1, reasoningTokens: null, costUsd: null };
  const reply = {
    ...{ text, reasoning: null, calls: [], finishReason: "stop", usage },
    model: { id: "m", revision: null },
  } as unknown as ModelReply;
  return `${formatEntry({ key: requestKey(identity, request), identity, request, reply })}\n`;
};
const damaged = (operator: op.Operator, line?: number) =>
  c(operator, rejects("cassette_damaged", cassette, line === undefined ? {} : { line }));
export const cassettes: HostileKind = {
  kind: "cassette",
  base: op.folderOf({ [cassette]: entry("one") + entry("two") }),
  read: async (directory) => {
    const { entries, tornLines } = readCassette(join(directory, cassette));
    return { warnings: tornLines.map((line) => `line ${line} is torn; ${entries.length} kept`) };
  },
  cases: [
    c(op.empty(cassette), "read"),
    c(op.put("blank lines", cassette, `\n\n${entry("one")}\n\n`), "read"),
    c(op.missing(cassette), rejects("cassette_missing", cassette)),
    c(op.asFolder(cassette), rejects("cassette_unreadable", cassette)),
    c(op.fifo(cassette), rejects("cassette_unreadable", cassette)),
    c(op.link(cassette, "/dev/zero"), rejects("cassette_unreadable", cassette)),
    c(op.huge(cassette, 2 ** 40), rejects("cassette_unreadable", cassette)),
    c(op.truncated(cassette, 0.9), warns(/line 2 is torn; 1 kept/)),
    c(op.put("last line end lost", cassette, (entry("one") + entry("two")).trimEnd()), "read"),
    damaged(op.edit("reply changed", cassette, '"text":"one"', '"text":"won"'), 1),
    damaged(op.edit("request changed", cassette, '"content":"one"', '"content":"won"'), 1),
    damaged(op.edit("key changed", cassette, '"key":"', '"key":"0'), 1),
    damaged(op.edit("number for a text", cassette, '"text":"one"', '"text":1'), 1),
    damaged(op.edit("absurd number", cassette, '"inputTokens":1', '"inputTokens":1e999'), 1),
    damaged(op.edit("newer version", cassette, '"cassette":1', '"cassette":2'), 1),
    damaged(op.edit("deep reply", cassette, '"calls":[]', `"calls":[${nested(50_000)}]`), 1),
    damaged(op.edit("deep request", cassette, '"messages":[', `"messages":[{"role":"user","x":${nested(50_000)}},`), 1),
    damaged(op.append("text of another kind", cassette, `oops\n${entry("three")}`), 3),
    damaged(op.append("null", cassette, "null\n"), 3),
    damaged(op.append("array", cassette, "[]\n"), 3),
    damaged(op.utf16(cassette), 1),
    damaged(op.bom(cassette)),
    damaged(op.gitLfs(cassette), 1),
    damaged(op.loneReturns(cassette)),
    damaged(
      op.put("separators of other alphabets", cassette, entry("a").replace('"text":"a"', '"text":"\u2028\u0085"')),
    ),
    c(op.put("separators that were recorded", cassette, entry("a\u2028b\u0085c")), "read"),
  ].filter(({ operator }) => !operator.name.startsWith("byte order mark") && !operator.name.startsWith("lone")),
};

const script = "script.jsonl";
const invalid = (operator: op.Operator, place: { line?: number; field?: string } = {}) =>
  c(operator, rejects("script_invalid", script, place));
export const modelScripts: HostileKind = {
  kind: "scripted replies",
  base: op.folderOf({ [script]: '{"text": "one"}\n{"text": "two", "when": {"contains": "x"}}\n' }),
  read: async (directory) => {
    readScript(join(directory, script));
    return { warnings: [] };
  },
  cases: [
    c(op.empty(script), "read"),
    c(op.crlf(script), "read"),
    c(op.bom(script), "read"),
    invalid(op.missing(script)),
    invalid(op.asFolder(script)),
    invalid(op.fifo(script)),
    invalid(op.link(script, "/dev/zero")),
    invalid(op.huge(script, 2 ** 40)),
    invalid(op.truncated(script, 0.8), { line: 2 }),
    invalid(op.utf16(script)),
    invalid(op.latin1(script)),
    invalid(op.gitLfs(script), { line: 1 }),
    invalid(op.edit("wrong type", script, '"two"', "2"), { line: 2, field: "text" }),
    invalid(op.edit("nothing said", script, '"text": "one"', ""), { line: 1 }),
    invalid(op.edit("unknown key", script, '"text": "one"', '"text": "one", "oops": 1'), { line: 1 }),
    invalid(op.edit("pattern that is none", script, '"contains": "x"', '"matches": "("'), {
      line: 2,
      field: "when.matches",
    }),
    invalid(
      op.edit("deep arguments", script, '"text": "one"', `"calls": [{"name": "a", "arguments": ${nested(20_000)}}]`),
      { line: 1 },
    ),
    invalid(op.put("deep array", script, "[".repeat(50_000))),
    invalid(op.put("array of numbers", script, "[1]")),
  ],
};
