// The middleware that answers from a cassette and records into it. Only replies are recorded, never errors.
import type { ModelProvider, ModelReply, ModelRequest } from "../../contract/index.ts";
import { type ModelIdentity, requestKey } from "../request-key.ts";
import type { Cassette } from "./cassette.ts";

export type WithCassetteOptions = { readonly cassette: Cassette; readonly identity: ModelIdentity };

const replayed = new WeakSet<ModelReply>();

/** Whether this very object came from a cassette, and so cost nothing. */
export function isReplayed(reply: ModelReply): boolean {
  return replayed.has(reply);
}

/** Equal requests that are in flight together are sent once: a cassette could hold only one of their answers. */
export function withCassette(provider: ModelProvider, { cassette, identity }: WithCassetteOptions): ModelProvider {
  const inFlight = new Map<string, Promise<ModelReply>>();

  const replay = (request: ModelRequest): ModelReply | null => {
    const reply = cassette.play(identity, request);
    if (reply) replayed.add(reply);
    return reply;
  };

  return {
    id: provider.id,
    async complete(request, options) {
      const key = requestKey(identity, request);
      for (let first = inFlight.get(key); first; first = inFlight.get(key)) await first.catch(() => {});
      options?.signal?.throwIfAborted();
      const recorded = replay(request);
      if (recorded) return recorded;
      const sent = provider.complete(request, options);
      inFlight.set(key, sent);
      try {
        const reply = await sent;
        cassette.record(identity, request, reply);
        return reply;
      } finally {
        inFlight.delete(key);
      }
    },
  };
}
