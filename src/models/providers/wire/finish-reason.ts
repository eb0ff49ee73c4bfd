import type { ModelReply } from "../../../contract/index.ts";

const lengths = new Set(["length", "max_tokens", "model_context_window_exceeded", "MAX_TOKENS"]);
const refusals = new Set([
  "content_filter",
  "refusal",
  "SAFETY",
  "PROHIBITED_CONTENT",
  "BLOCKLIST",
  "RECITATION",
  "SPII",
]);

/** From what came, where the endpoint's own word disagrees with it: calls are calls whatever it is called. */
export function finishReasonOf(told: string | null, calls: number, text: string): ModelReply["finishReason"] {
  if (told !== null && lengths.has(told)) return "length";
  if (calls > 0) return "tool-calls";
  if (told !== null && refusals.has(told)) return "refusal";
  return text === "" && told !== "stop" && told !== "end_turn" && told !== "STOP" ? "other" : "stop";
}
