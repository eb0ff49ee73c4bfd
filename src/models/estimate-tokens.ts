// What a call may use, before it is sent.
import type { ModelRequest } from "../contract/index.ts";

export const assumedOutputTokens = 4_096;

/** Three bytes a token: more tokens than English, code or JSON have, fewer than text in rare scripts may have. */
export function estimateTokens(
  request: ModelRequest,
  assumedOutput = assumedOutputTokens,
): { readonly inputTokens: number; readonly outputTokens: number } {
  const { system, messages, tools, schema, sampling } = request;
  const inputTokens = Math.ceil(Buffer.byteLength(JSON.stringify({ system, messages, tools, schema })) / 3);
  return { inputTokens, outputTokens: sampling?.maximumTokens ?? assumedOutput };
}
