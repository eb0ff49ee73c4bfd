// A model endpoint for tests, a process of its own: it speaks OpenAI's chat completions, Anthropic's messages and Google's
// generateContent, and says what it was told to say. POST /script sets the answers to come, one for each request; GET
// /log gives the requests that came. What an entry may hold is in index.ts. It prints its port.
import { createServer } from "node:http";

let script = [];
let log = [];

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  if (request.url === "/script") {
    script = JSON.parse(text);
    log = [];
    return response.end("ok");
  }
  if (request.url === "/log") return response.end(JSON.stringify(log));
  const key = request.headers.authorization?.replace(/^Bearer /, "") ?? request.headers["x-api-key"] ?? request.headers["x-goog-api-key"];
  const body = JSON.parse(text);
  log.push({ path: request.url, key: key ?? null, body });
  const entry = script.length > 1 || !script[0]?.repeat ? script.shift() : script[0];
  if (entry === undefined) return fail(response, 500, "the script is over");
  const dialect = request.url.includes("/chat/completions") ? openAi : request.url.includes("/messages") ? anthropic : google;
  const stream = body.stream === true || request.url.includes("streamGenerateContent");
  await answer(response, entry, dialect, stream, key);
});

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const fail = (response, status, message, headers = {}) => {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ error: { message, type: "error", code: "told" } }));
};

async function answer(response, entry, dialect, stream, key) {
  const { fault } = entry;
  if (fault === "rate-limit") return fail(response, 429, "slow down");
  if (fault === "rate-limit-after") return fail(response, 429, "slow down", { "retry-after": String(entry.seconds ?? 1) });
  if (fault === "status") return fail(response, entry.status, entry.message ?? "told to fail");
  if (fault === "overflow") return fail(response, 400, "This model's maximum context length is 100 tokens; your messages have 200.");
  if (fault === "filter") return fail(response, 400, "The request was blocked by the content filter.");
  if (fault === "echo-key") return fail(response, 401, `Incorrect API key provided: ${key}`, { "x-echo": String(key) });
  if (fault === "hang") return;
  if (fault === "reset") return response.socket.destroy();
  if (fault === "not-json") {
    response.writeHead(200, { "content-type": "application/json" });
    return response.end("<html>502 Bad Gateway</html>");
  }
  const pieces = stream ? dialect.stream(entry) : [dialect.whole(entry)];
  response.writeHead(200, { "content-type": stream ? "text/event-stream" : "application/json" });
  if (fault === "truncated") {
    const part = stream ? pieces.slice(0, Math.max(1, entry.pieces ?? pieces.length - 2)) : [pieces[0].slice(0, -5)];
    for (const piece of part) response.write(piece);
    await pause(20);
    return entry.clean ? response.end() : response.socket.destroy();
  }
  for (const piece of pieces) {
    if (entry.slow) await pause(entry.slow);
    response.write(piece);
  }
  response.end();
}

const event = (value) => `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`;
const half = (text = "") => [text.slice(0, text.length >> 1), text.slice(text.length >> 1)].filter(Boolean);

const openAi = {
  usage: ({ usage }) => usage && { prompt_tokens: usage.input, completion_tokens: usage.output, prompt_tokens_details: { cached_tokens: usage.cached ?? 0 } },
  finish: (entry) => (entry.finish === undefined ? (entry.calls?.length ? "tool_calls" : "stop") : entry.finish),
  whole(entry) {
    const tool_calls = entry.calls?.map(({ id, name, arguments: text }) => ({ id, type: "function", function: { name, arguments: text } }));
    const message = { role: "assistant", content: entry.text ?? null, reasoning_content: entry.reasoning, refusal: entry.refusal, tool_calls };
    const error = entry.error ? { error: { message: entry.error } } : {};
    return JSON.stringify({ id: "x", object: "chat.completion", created: 1, model: "told-1", system_fingerprint: "fp", choices: [{ index: 0, message, finish_reason: this.finish(entry) }], usage: this.usage(entry), ...error });
  },
  stream(entry) {
    const chunk = (delta, finish_reason = null) => event({ id: "x", object: "chat.completion.chunk", created: 1, model: "told-1", choices: [{ index: 0, delta, finish_reason }] });
    const deltas = entry.deltas ?? (entry.calls ?? []).flatMap(({ id, name, arguments: text }, index) => [
      { index, id, type: "function", function: { name, arguments: "" } },
      ...half(text).map((part) => ({ index, function: { arguments: part } })),
    ]);
    return [
      chunk({ role: "assistant", content: "" }),
      ...half(entry.reasoning).map((part) => chunk({ reasoning_content: part })),
      ...half(entry.text).map((part) => chunk({ content: part })),
      ...half(entry.refusal).map((part) => chunk({ refusal: part })),
      ...deltas.map((delta) => chunk({ tool_calls: [delta] })),
      ...(entry.error ? [event({ error: { message: entry.error } })] : []),
      ...(entry.finish === null ? [] : [chunk({}, this.finish(entry))]),
      ...(entry.usage ? [event({ id: "x", object: "chat.completion.chunk", created: 1, model: "told-1", choices: [], usage: this.usage(entry) })] : []),
      event("[DONE]"),
    ];
  },
};

const anthropic = {
  blocks: (entry) => [
    ...(entry.reasoning ? [{ type: "thinking", thinking: entry.reasoning, signature: "s" }] : []),
    ...(entry.text ? [{ type: "text", text: entry.text }] : []),
    ...(entry.calls ?? []).map(({ id, name, arguments: text }) => ({ type: "tool_use", id, name, raw: text })),
  ],
  usage: ({ usage }) => ({ input_tokens: (usage?.input ?? 0) - (usage?.cached ?? 0), cache_read_input_tokens: usage?.cached ?? 0, cache_creation_input_tokens: 0, output_tokens: usage?.output ?? 0 }),
  stop: (entry) => entry.finish ?? (entry.refusal ? "refusal" : entry.calls?.length ? "tool_use" : "end_turn"),
  whole(entry) {
    const shown = this.blocks(entry).map(({ raw, ...block }) => (raw === undefined ? block : { ...block, input: `@@${raw}@@` }));
    const message = { id: "m", type: "message", role: "assistant", model: "told-1", content: shown, stop_reason: this.stop(entry), stop_sequence: null, usage: this.usage(entry) };
    // Arguments are an object on this wire; they are set in as they are, so that every digit stands.
    return JSON.stringify(message).replace(/"@@(.*?)@@"/g, (_, raw) => JSON.parse(`"${raw}"`));
  },
  stream(entry) {
    const named = (value) => `event: ${value.type}\n${event(value)}`;
    return [
      named({ type: "message_start", message: { id: "m", type: "message", role: "assistant", model: "told-1", content: [], stop_reason: null, stop_sequence: null, usage: { ...this.usage(entry), output_tokens: 1 } } }),
      ...this.blocks(entry).flatMap(({ raw, ...block }, index) => [
        named({ type: "content_block_start", index, content_block: raw === undefined ? { ...block, ...(block.text ? { text: "" } : { thinking: "" }) } : { ...block, input: {} } }),
        ...half(raw ?? block.text ?? block.thinking).map((part) =>
          named({ type: "content_block_delta", index, delta: raw !== undefined ? { type: "input_json_delta", partial_json: part } : block.text ? { type: "text_delta", text: part } : { type: "thinking_delta", thinking: part } }),
        ),
        named({ type: "content_block_stop", index }),
      ]),
      ...(entry.error ? [named({ type: "error", error: { type: "overloaded_error", message: entry.error } })] : []),
      named({ type: "message_delta", delta: { stop_reason: this.stop(entry), stop_sequence: null }, usage: { output_tokens: this.usage(entry).output_tokens } }),
      named({ type: "message_stop" }),
    ];
  },
};

const google = {
  whole(entry) {
    const parts = [
      ...(entry.text ? [{ text: entry.text }] : []),
      ...(entry.calls ?? []).map(({ name, arguments: text }) => ({ functionCall: { name, args: JSON.parse(text) } })),
    ];
    return JSON.stringify({
      modelVersion: "told-1",
      candidates: [{ content: { role: "model", parts }, finishReason: entry.finish ?? "STOP", index: 0 }],
      usageMetadata: { promptTokenCount: entry.usage?.input, candidatesTokenCount: entry.usage?.output, cachedContentTokenCount: entry.usage?.cached ?? 0, totalTokenCount: 0 },
    });
  },
  stream(entry) {
    return [event(this.whole(entry))];
  },
};

server.listen(0, "127.0.0.1", () => console.log(server.address().port));
process.on("disconnect", () => process.exit(0));
