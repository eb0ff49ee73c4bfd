// A model request in the terms of the AI SDK.
import type { LanguageModelV3CallOptions, LanguageModelV3Message } from "@ai-sdk/provider";
import type { Json, JsonObject, ModelCall, ModelMessage, ModelRequest } from "../../contract/index.ts";
import { parseExact } from "../exact-json.ts";
import type { HttpModelKind } from "./http-provider.ts";

export function callOptions(
  request: ModelRequest,
  kind: HttpModelKind,
  signal: AbortSignal,
): LanguageModelV3CallOptions {
  const { system, messages, tools, toolChoice, schema, sampling = {} } = request;
  // Anthropic's endpoint asks for a maximum.
  const maximum = sampling.maximumTokens ?? (kind === "anthropic" ? 8_192 : undefined);
  return {
    prompt: [...(system === undefined ? [] : [{ role: "system" as const, content: system }]), ...promptOf(messages)],
    abortSignal: signal,
    ...(maximum === undefined ? {} : { maxOutputTokens: maximum }),
    ...(sampling.temperature === undefined ? {} : { temperature: sampling.temperature }),
    ...(sampling.topP === undefined ? {} : { topP: sampling.topP }),
    ...(sampling.seed === undefined ? {} : { seed: sampling.seed }),
    ...(sampling.stop === undefined ? {} : { stopSequences: [...sampling.stop] }),
    ...(schema ? { responseFormat: { type: "json" as const, name: "answer", schema: schema as never } } : {}),
    ...(tools?.length
      ? {
          tools: tools.map(({ name, description, parameters }) => ({
            type: "function" as const,
            name,
            description,
            inputSchema: parameters as never,
          })),
          toolChoice: { type: toolChoice ?? "auto" },
        }
      : {}),
  };
}

function promptOf(messages: readonly ModelMessage[]): LanguageModelV3Message[] {
  const names = new Map<string, string>();
  const prompt: LanguageModelV3Message[] = [];
  for (const message of messages) {
    if (message.role === "user") prompt.push({ role: "user", content: [{ type: "text", text: message.text }] });
    else if (message.role === "assistant") {
      for (const { id, name } of message.calls) names.set(id, name);
      prompt.push({
        role: "assistant",
        content: [
          ...(message.text === "" ? [] : [{ type: "text" as const, text: message.text }]),
          ...message.calls.map((call) => ({
            type: "tool-call" as const,
            toolCallId: call.id,
            toolName: call.name,
            input: inputOf(call),
          })),
        ],
      });
    } else {
      const type = message.isError ? ("error-text" as const) : ("text" as const);
      const result = {
        type: "tool-result" as const,
        toolCallId: message.callId,
        toolName: names.get(message.callId) ?? "unknown",
        output: { type, value: message.text },
      };
      const last = prompt.at(-1);
      if (last?.role === "tool") last.content.push(result);
      else prompt.push({ role: "tool", content: [result] });
    }
  }
  return prompt;
}

/** What the model wrote, as the object that endpoints ask for; what was none is shown to it as text. */
function inputOf({ argumentsText }: ModelCall): JsonObject {
  if (argumentsText.trim() === "") return {};
  try {
    const value = parseExact(argumentsText, (digits) => digits) as Json;
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Not JSON: told below.
  }
  return { unreadable: argumentsText };
}
