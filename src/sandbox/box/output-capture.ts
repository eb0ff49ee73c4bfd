// Collects one output stream: bytes first, a bound on what is kept, and text that is never cut inside a code point.
import type { Output } from "../../contract/index.ts";

export interface OutputCapture {
  add(chunk: Uint8Array): void;
  readonly bytes: number;
  output(): Output;
}

/** Keeps the first `limit` bytes and counts the rest. */
export function captureOutput(limit: number): OutputCapture {
  const chunks: Uint8Array[] = [];
  let kept = 0;
  let bytes = 0;
  return {
    add(chunk) {
      bytes += chunk.length;
      if (kept >= limit) return;
      const part = chunk.length > limit - kept ? chunk.subarray(0, limit - kept) : chunk;
      chunks.push(part);
      kept += part.length;
    },
    get bytes() {
      return bytes;
    },
    output() {
      const data = Buffer.concat(chunks);
      const truncated = bytes > kept;
      return { text: decode(truncated ? data.subarray(0, wholeCodePoints(data)) : data), bytes, truncated };
    },
  };
}

const decode = (data: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(data);

/** The length of `data` without a UTF-8 sequence that has only begun at its end. */
export function wholeCodePoints(data: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, data.length); back += 1) {
    const byte = data[data.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const needed = byte >= 0xf0 && byte < 0xf8 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back && byte < 0xf8 ? data.length - back : data.length;
  }
  return data.length;
}
