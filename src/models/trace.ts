// Events about every call for whoever listens: digest, times, usage, the error's code. Texts only where they are asked for.
import { ModelError, type ModelProvider, type ModelReply, type ModelRequest, type Usage } from "../contract/index.ts";
import { type Clock, systemClock } from "./clock.ts";
import { type ModelIdentity, requestKey } from "./request-key.ts";

type CallEvent = {
  readonly call: number;
  readonly model: string;
  readonly request: string;
};
export type TraceEvent =
  | (CallEvent & { readonly type: "model_call_started"; readonly asked?: ModelRequest })
  | (CallEvent & {
      readonly type: "model_call_answered";
      readonly milliseconds: number;
      readonly usage: Usage;
      readonly finishReason: ModelReply["finishReason"];
      readonly answered?: { readonly text: string; readonly calls: ModelReply["calls"] };
    })
  | (CallEvent & { readonly type: "model_call_failed"; readonly milliseconds: number; readonly code: string });

export type WithTraceOptions = {
  readonly identity: ModelIdentity;
  readonly sink: (event: TraceEvent) => void;
  readonly clock?: Clock;
  /** Whether prompts and answers are in the events. Default false. */
  readonly includeTexts?: boolean;
};

export function withTrace(provider: ModelProvider, options: WithTraceOptions): ModelProvider {
  const { identity, sink, clock = systemClock, includeTexts = false } = options;
  let calls = 0;
  return {
    id: provider.id,
    async complete(request, call) {
      calls++;
      const about: CallEvent = { call: calls, model: identity.model, request: requestKey(identity, request) };
      const start = clock.now();
      sink({ type: "model_call_started", ...about, ...(includeTexts && { asked: request }) });
      try {
        const reply = await provider.complete(request, call);
        sink({
          type: "model_call_answered",
          ...about,
          milliseconds: clock.now() - start,
          usage: reply.usage,
          finishReason: reply.finishReason,
          ...(includeTexts && { answered: { text: reply.text, calls: reply.calls } }),
        });
        return reply;
      } catch (error) {
        const code = ModelError.isInstance(error) ? error.code : call?.signal?.aborted ? "aborted" : "unknown";
        sink({ type: "model_call_failed", ...about, milliseconds: clock.now() - start, code });
        throw error;
      }
    },
  };
}
