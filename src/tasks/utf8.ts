/** The text of the bytes, without a byte order mark, or where and why they are no UTF-8. */
export function decodeUtf8(bytes: Uint8Array): { text: string; hasMark: boolean } | { message: string; line: number } {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), hasMark };
  } catch {
    const good = validPrefix(bytes);
    const line = Buffer.from(bytes.subarray(0, good)).toString("latin1").split("\n").length;
    return {
      message: `is not UTF-8: byte 0x${(bytes[good] ?? 0).toString(16).padStart(2, "0")} at offset ${good}`,
      line,
    };
  }
}

function validPrefix(bytes: Uint8Array): number {
  let low = 0;
  let high = bytes.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, middle), { stream: true });
      low = middle;
    } catch {
      high = middle - 1;
    }
  }
  return low;
}
