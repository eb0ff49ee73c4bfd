// One line of a cassette: a request with who was asked, the reply, and a digest over both.
import { z } from "zod";
import type { ModelReply, ModelRequest } from "../../contract/index.ts";
import { type ModelIdentity, requestKey, sha256 } from "../request-key.ts";

export const cassetteVersion = 1;

export type CassetteEntry = {
  readonly key: string;
  readonly identity: ModelIdentity;
  readonly request: ModelRequest;
  readonly reply: ModelReply;
};

const count = z.number().nullable();
const call = z.object({ id: z.string(), name: z.string(), argumentsText: z.string() });
const lineSchema = z.object({
  cassette: z.literal(cassetteVersion),
  digest: z.string(),
  key: z.string(),
  identity: z.object({
    kind: z.string(),
    provider: z.string(),
    model: z.string(),
    revision: z.string().nullable(),
  }),
  request: z.looseObject({ messages: z.array(z.looseObject({ role: z.string() })) }),
  reply: z.object({
    text: z.string(),
    reasoning: z.string().nullable(),
    calls: z.array(call),
    finishReason: z.enum(["stop", "length", "tool-calls", "refusal", "other"]),
    usage: z.object({
      inputTokens: count,
      cachedInputTokens: count,
      outputTokens: count,
      reasoningTokens: count,
      costUsd: count,
    }),
    model: z.object({ id: z.string(), revision: z.string().nullable() }),
  }),
});

/** What a program writes after a line that a crash cut off, so that readers know it for one. */
export const repairLine = JSON.stringify({ cassette: cassetteVersion, repair: "the line before was cut off" });

export function formatEntry({ key, identity, request, reply }: CassetteEntry): string {
  const body = { key, identity, request, reply };
  return JSON.stringify({ cassette: cassetteVersion, digest: sha256(JSON.stringify(body)), ...body });
}

/** The entry of a line, or what is wrong with it. */
export function parseEntry(line: string): { entry: CassetteEntry } | { repair: true } | { problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { problem: "is not JSON" };
  }
  if (line === repairLine) return { repair: true };
  const version = (value as { cassette?: unknown } | null)?.cassette;
  if (typeof version === "number" && version > cassetteVersion)
    return { problem: `has version ${version}; this release reads version ${cassetteVersion}` };
  const parsed = lineSchema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return { problem: `is no entry: ${issue?.path.join(".") || "line"}: ${issue?.message}` };
  }
  const { key, identity, request, reply } = value as CassetteEntry;
  if (sha256(JSON.stringify({ key, identity, request, reply })) !== parsed.data.digest)
    return { problem: "was changed: its digest does not match" };
  if (requestKey(identity, request) !== key)
    return { problem: "was recorded under another rule for keys: its key does not match its request" };
  return { entry: { key, identity, request, reply } };
}
