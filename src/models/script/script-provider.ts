// A model that says what a file holds: for tests, demos and dry runs. Its id and its replies say that it is scripted.
import { basename } from "node:path";
import { ModelError, type ModelProvider, type ModelReply, type ModelRequest } from "../../contract/index.ts";
import { unknownUsage } from "../usage.ts";
import { readScript, type ScriptedReply } from "./read-script.ts";

export type ScriptOptions = {
  readonly file: string;
  /** What the model is used for, to which `when.stage` is held. */
  readonly stage?: string;
};

/**
 * Each request gets the first reply that is left and whose `when` fits it; without one, the first that is left of those
 * without a `when`. Where requests run at the same time, give every reply a `when`.
 */
export function scriptProvider(options: ScriptOptions): ModelProvider {
  const replies = readScript(options.file);
  const id = `script:${basename(options.file)}`;
  const used = new Set<ScriptedReply>();
  let given = 0;

  return {
    id,
    async complete(request, call) {
      call?.signal?.throwIfAborted();
      const left = replies.filter((reply) => !used.has(reply));
      const reply =
        left.find((candidate) => candidate.when !== undefined && fits(candidate.when, request, options.stage)) ??
        left.find((candidate) => candidate.when === undefined);
      if (!reply) throw exhausted(options.file, replies, left.length, request);
      if (!reply.repeat) used.add(reply);
      if (reply.error) throw new ModelError({ ...reply.error, isRetryable: reply.error.isRetryable ?? false });
      given++;
      return toReply(reply, id, given);
    },
  };
}

function fits(when: NonNullable<ScriptedReply["when"]>, request: ModelRequest, stage: string | undefined): boolean {
  const text = request.messages.at(-1)?.text ?? "";
  if (typeof when === "string") return text.includes(when);
  const turn = request.messages.filter((message) => message.role === "assistant").length + 1;
  return (
    (when.contains === undefined || text.includes(when.contains)) &&
    (when.matches === undefined || new RegExp(when.matches).test(text)) &&
    (when.stage === undefined || when.stage === stage) &&
    (when.turn === undefined || when.turn === turn)
  );
}

function toReply(reply: ScriptedReply, id: string, given: number): ModelReply {
  const calls = (reply.calls ?? []).map((call, index) => ({
    id: call.id ?? `scripted-${given}-${index + 1}`,
    name: call.name,
    argumentsText: call.argumentsText ?? JSON.stringify(call.arguments ?? {}),
  }));
  return {
    text: reply.text ?? "",
    reasoning: reply.reasoning ?? null,
    calls,
    finishReason: reply.finishReason ?? (calls.length > 0 ? "tool-calls" : "stop"),
    usage: { ...unknownUsage, ...reply.usage, costUsd: 0 },
    model: { id, revision: null },
  };
}

function exhausted(file: string, replies: ScriptedReply[], left: number, request: ModelRequest): ModelError {
  const last = (request.messages.at(-1)?.text ?? "").slice(0, 120);
  return new ModelError({
    code: "script_exhausted",
    message:
      left === 0
        ? `all ${replies.length} scripted replies were given`
        : `none of the ${left} scripted replies that are left fits a request that ends with ${JSON.stringify(last)}`,
    where: { file },
    remedy: 'add a reply, or let one be given again with "repeat": true',
  });
}
