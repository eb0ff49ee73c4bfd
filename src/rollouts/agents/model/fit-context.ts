// Keeps a conversation inside the model's context: old observations give way first, the task and the newest turns never.
import type { ModelMessage, ModelRequest } from "../../../contract/index.ts";

/** Messages at the end that stay whole. */
const keptWhole = 4;
const shortened = 200;

/**
 * The same conversation in at most `tokens` tokens, counted at `tokensPerCharacter`; null when it can't be made so
 * short. What is left out is said in its place.
 */
export function fitContext(
  request: ModelRequest,
  options: { tokens: number; tokensPerCharacter: number },
): ModelRequest | null {
  const limit = options.tokens / options.tokensPerCharacter;
  let length = requestLength(request);
  if (length <= limit) return request;
  const messages = [...request.messages];
  for (let index = 1; index < messages.length - keptWhole && length > limit; index++) {
    const message = messages[index] as ModelMessage;
    if (message.role !== "tool" || message.text.length <= shortened * 2) continue;
    const text = shorten(message.text, shortened);
    length -= message.text.length - text.length;
    messages[index] = { ...message, text };
  }
  if (length > limit) {
    const largest = Math.max(0, ...messages.slice(1).map(({ text }) => text.length));
    const room = Math.floor(largest / 4);
    for (let index = 1; index < messages.length && length > limit && room > shortened; index++) {
      const message = messages[index] as ModelMessage;
      if (message.role !== "tool" || message.text.length <= room) continue;
      const text = shorten(message.text, Math.floor(room / 2));
      length -= message.text.length - text.length;
      messages[index] = { ...message, text };
    }
  }
  return length <= limit ? { ...request, messages } : null;
}

/** Characters of everything that the model reads. */
export function requestLength(request: ModelRequest): number {
  const said = request.messages.reduce(
    (sum, message) =>
      sum +
      message.text.length +
      (message.role === "assistant" ? message.calls.reduce((n, call) => n + call.argumentsText.length + 40, 0) : 0),
    0,
  );
  return said + (request.system?.length ?? 0) + JSON.stringify(request.tools ?? []).length;
}

function shorten(text: string, each: number): string {
  const left = text.length - 2 * each;
  return left <= 60
    ? text
    : `${text.slice(0, each)}\n[${left} characters left out to fit the context]\n${text.slice(-each)}`;
}
