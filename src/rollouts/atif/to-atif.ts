import type { Json, JsonObject, ToolSpec, Trajectory, TrajectoryStep } from "../../contract/index.ts";
import { type Atif, type AtifStep, writtenAtifVersion } from "./schema.ts";

/**
 * A trajectory as an ATIF v1.7 document. What the format has no field for (the raw observation, rewards, who changed
 * what, the verdict) stands in `extra.routesetter`, so that `fromAtif` gives the same trajectory again.
 */
export function toAtif(trajectory: Trajectory, tools: readonly ToolSpec[] = []): Atif {
  const { initial, steps, agent, ...rest } = trajectory;
  const written: Omit<AtifStep, "step_id">[] = [first(trajectory), ...steps.map(agentStep)];
  const sum = (pick: (step: TrajectoryStep) => number | null | undefined) => {
    const known = steps.map(pick).filter((value) => typeof value === "number");
    return known.length > 0 ? known.reduce((a, b) => a + b, 0) : null;
  };
  const prompt = sum(({ tokens }) => tokens?.prompt);
  const completion = sum(({ tokens }) => tokens?.completion);
  const cached = sum(({ tokens }) => tokens?.cached);
  // A sum of which a part is unknown would pass for a whole.
  const priced = steps.every(({ tokens }) => !tokens || typeof tokens.costUsd === "number");
  const cost = priced ? sum(({ tokens }) => tokens?.costUsd) : null;
  return {
    schema_version: writtenAtifVersion,
    agent: {
      name: agent.name,
      version: agent.version,
      ...(tools.length > 0 ? { tool_definitions: tools.map(definition) } : {}),
    },
    steps: written.map((step, index) => ({ step_id: index + 1, ...step })),
    final_metrics: {
      ...(prompt === null ? {} : { total_prompt_tokens: prompt }),
      ...(completion === null ? {} : { total_completion_tokens: completion }),
      ...(cached === null ? {} : { total_cached_tokens: cached }),
      ...(cost === null ? {} : { total_cost_usd: cost }),
      total_steps: written.length,
    },
    extra: { routesetter: { ...(rest as unknown as JsonObject), initial: initial as unknown as Json } },
  };
}

const definition = ({ name, description, parameters }: ToolSpec): JsonObject => ({
  type: "function",
  function: { name, description, parameters },
});

function first({ initial, task }: Trajectory): Omit<AtifStep, "step_id"> {
  return initial
    ? { source: "user", message: initial.text }
    : { source: "system", message: `The environment of ${task.id} gave no first observation.` };
}

function agentStep({ call, result, tokens, ...rest }: TrajectoryStep): Omit<AtifStep, "step_id"> {
  const { action } = call;
  const content = result.shown.text;
  const answer = modelAnswer(call.written);
  const own: JsonObject = {
    ...(rest as unknown as JsonObject),
    call_id: call.id,
    written: call.written,
    action: action as unknown as Json,
    raw: result.raw as unknown as Json,
    shown: result.shown as unknown as Json,
    changes: result.changes,
    tokens: tokens as unknown as Json,
  };
  return {
    source: "agent",
    message: answer?.text ?? (typeof call.written === "string" && !action ? call.written : ""),
    ...(answer && tokens ? { model_name: answer.model } : {}),
    ...(answer?.reasoning && tokens ? { reasoning_content: answer.reasoning } : {}),
    ...(action
      ? { tool_calls: [{ tool_call_id: call.id, function_name: action.name, arguments: action.arguments }] }
      : {}),
    observation: { results: [action ? { source_call_id: result.id, content } : { content }] },
    ...(tokens ? { metrics: metrics(tokens), llm_call_count: 1 } : { llm_call_count: 0 }),
    extra: { routesetter: own },
  };
}

function metrics({ prompt, completion, cached, costUsd }: NonNullable<TrajectoryStep["tokens"]>) {
  return {
    ...(prompt === null ? {} : { prompt_tokens: prompt }),
    ...(completion === null ? {} : { completion_tokens: completion }),
    ...(typeof cached === "number" ? { cached_tokens: cached } : {}),
    ...(typeof costUsd === "number" ? { cost_usd: costUsd } : {}),
  };
}

/** What the model agent records at the first call of an answer. */
function modelAnswer(written: Json): { text: string; reasoning: string | null; model: string } | null {
  if (typeof written !== "object" || written === null || Array.isArray(written)) return null;
  const { text, reasoning, model } = written as { text?: unknown; reasoning?: unknown; model?: { id?: unknown } };
  if (typeof text !== "string" || typeof model?.id !== "string") return null;
  return { text, reasoning: typeof reasoning === "string" ? reasoning : null, model: model.id };
}
