// The few fields of BuildKit's status messages (protobuf, moby.buildkit.v1.StatusResponse) that a build log needs.

export type BuildkitTrace = {
  readonly vertexes: readonly { digest: string; name: string; started: boolean; error: string }[];
  readonly logs: readonly string[];
};

/** Decodes one `moby.buildkit.trace` message (base64). */
export function decodeTrace(data: string): BuildkitTrace {
  const vertexes: { digest: string; name: string; started: boolean; error: string }[] = [];
  const logs: string[] = [];
  for (const [field, content] of fieldsOf(Buffer.from(data, "base64"))) {
    const inner = fieldsOf(content);
    const text = (number: number): string => inner.find(([own]) => own === number)?.[1].toString("utf8") ?? "";
    if (field === 1)
      vertexes.push({ digest: text(1), name: text(3), started: inner.some(([own]) => own === 5), error: text(7) });
    if (field === 3) logs.push(text(4));
  }
  return { vertexes, logs };
}

/** Length-delimited fields of a message; others are skipped. */
function fieldsOf(message: Buffer): [field: number, content: Buffer][] {
  const fields: [number, Buffer][] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    let factor = 1;
    while (at < message.length) {
      const byte = message[at++] as number;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) break;
      factor *= 128;
    }
    return value;
  };
  while (at < message.length) {
    const key = varint();
    const kind = key % 8;
    if (kind === 0) varint();
    else if (kind === 1) at += 8;
    else if (kind === 5) at += 4;
    else if (kind === 2) {
      const length = varint();
      fields.push([Math.floor(key / 8), message.subarray(at, at + length)]);
      at += length;
    } else return fields;
  }
  return fields;
}
