import {
  ConfigError,
  type Json,
  type JsonObject,
  type Observation,
  schemaProblems,
  type Trajectory,
  type TrajectoryStep,
  trajectorySchema,
  trajectoryVersion,
} from "../../contract/index.ts";
import { type Atif, type AtifStep, atifSchema } from "./schema.ts";

/**
 * Reads an ATIF document, v1.0 to v1.8. One of ours gives the trajectory that it was written from; of others every tool
 * call becomes a step, matched with its result by id, and what has no place here is kept in the step's `info.atif`.
 * Such a trajectory has no verdict: its outcome is `cancelled`, with the cause `not_graded`. Errors: ConfigError
 * `atif_unreadable`.
 */
export function fromAtif(document: unknown, file?: string): Trajectory {
  const where = file === undefined ? {} : { file };
  const parsed = atifSchema.safeParse(document);
  if (!parsed.success)
    throw new ConfigError({
      code: "atif_unreadable",
      message: `not an ATIF trajectory: ${schemaProblems(parsed.error)}`,
      where,
      remedy: "give a document that follows ATIF v1.0 to v1.8",
    });
  const own = (parsed.data.extra as JsonObject | null | undefined)?.routesetter;
  return own ? restoreOwn(parsed.data, own as JsonObject, where) : readForeign(parsed.data);
}

function restoreOwn(document: Atif, own: JsonObject, where: { file?: string }): Trajectory {
  const steps = document.steps.slice(1).map((step) => {
    const kept = ((step.extra as JsonObject | null | undefined)?.routesetter ?? {}) as JsonObject;
    const { call_id, written, action, raw, shown, changes, ...rest } = kept;
    return { ...rest, call: { id: call_id, written, action }, result: { id: call_id, raw, shown, changes } };
  });
  const { name, version } = document.agent;
  const restored = trajectorySchema.safeParse({ ...own, agent: { name, version }, steps });
  if (restored.success) return restored.data;
  throw new ConfigError({
    code: "atif_unreadable",
    message: `extra.routesetter does not fit: ${schemaProblems(restored.error)}`,
    where,
    remedy: "take the document as it was written",
  });
}

function readForeign(document: Atif): Trajectory {
  const steps: TrajectoryStep[] = [];
  let before: AtifStep[] = [];
  let initial: Observation | null = null;
  const begun = Date.parse(document.steps[0]?.timestamp ?? "");
  for (const step of document.steps) {
    if (step.source !== "agent") {
      if (step.source === "user" && initial === null) initial = { text: textOf(step.message), data: {} };
      before.push(step);
      continue;
    }
    const at = Date.parse(step.timestamp ?? "") - begun;
    for (const [place, call] of callsOf(step).entries()) {
      const kept: JsonObject = { step: step as unknown as Json, place, before: before as unknown as Json };
      steps.push(foreignStep(steps.length, step, call, kept, Number.isFinite(at) ? at : 0));
      before = [];
    }
  }
  return {
    version: trajectoryVersion,
    task: { id: document.session_id ?? document.trajectory_id ?? "unknown", digest: "unknown" },
    agent: { name: document.agent.name, version: document.agent.version },
    seed: null,
    attempt: 1,
    initial,
    steps,
    outcome: "cancelled",
    verdict: null,
    cause: { code: "not_graded", message: "the document holds no verdict" },
  };
}

type Call = { id: string | null; action: TrajectoryStep["call"]["action"]; written: Json };

function callsOf(step: AtifStep): Call[] {
  const calls = step.tool_calls ?? [];
  if (calls.length === 0) return [{ id: null, action: null, written: textOf(step.message) }];
  return calls.map((call) => ({
    id: call.tool_call_id,
    action: { name: call.function_name, arguments: call.arguments },
    written: call as unknown as Json,
  }));
}

function foreignStep(index: number, step: AtifStep, call: Call, kept: JsonObject, at: number): TrajectoryStep {
  const results = (step.observation?.results ?? []).filter(
    ({ source_call_id }) => (source_call_id ?? null) === call.id || (step.tool_calls?.length === 1 && !source_call_id),
  );
  const observation = { text: results.map(({ content }) => textOf(content ?? "")).join("\n"), data: {} };
  const id = call.id ?? `step-${step.step_id}`;
  const { prompt_tokens, completion_tokens } = step.metrics ?? {};
  const counted = kept.place === 0 && step.metrics;
  return {
    index,
    call: { id, written: call.written, action: call.action },
    result: { id, raw: observation, shown: observation, changes: [] },
    reward: 0,
    terminated: false,
    truncated: false,
    info: { atif: kept },
    tokens: counted ? { prompt: prompt_tokens ?? null, completion: completion_tokens ?? null } : null,
    time: { called: at, returned: at },
  };
}

function textOf(content: AtifStep["message"]): string {
  if (typeof content === "string") return content;
  return content.map((part) => part.text ?? `[${part.type}: ${JSON.stringify(part.source)}]`).join("\n");
}
