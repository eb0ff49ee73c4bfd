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
    message: typeof call.written === "string" && !action ? call.written : "",
    ...(action
      ? { tool_calls: [{ tool_call_id: call.id, function_name: action.name, arguments: action.arguments }] }
      : {}),
    observation: { results: [action ? { source_call_id: result.id, content } : { content }] },
    ...(tokens
      ? {
          metrics: {
            ...(tokens.prompt === null ? {} : { prompt_tokens: tokens.prompt }),
            ...(tokens.completion === null ? {} : { completion_tokens: tokens.completion }),
          },
          llm_call_count: 1,
        }
      : { llm_call_count: 0 }),
    extra: { routesetter: own },
  };
}
